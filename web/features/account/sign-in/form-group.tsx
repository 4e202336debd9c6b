import type { ReactNode } from 'react'

interface FormGroupProps {
  title: string
  note?: string
  children: ReactNode
}

/** Fields that belong together, under a title. */
export function FormGroup({ title, note, children }: FormGroupProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-4 w-full border-b border-hairline pb-2 text-16 font-strong">
        {title}
      </legend>
      {note !== undefined && <p className="mb-2 text-14 text-quiet">{note}</p>}
      {children}
    </fieldset>
  )
}
