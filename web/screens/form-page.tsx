import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

interface FormPageProps {
  heading: string
  intro?: string
  width?: 'narrow' | 'medium'
  children: ReactNode
}

/** A page that is one form in the middle. */
export function FormPage({ heading, intro, width = 'narrow', children }: FormPageProps) {
  return (
    <div
      className={classNames(
        // As the server sends it, before the scripts take whoever is logged in to another page.
        'mx-auto w-full py-4 sm:py-12 session-kept:invisible',
        width === 'narrow' ? 'max-w-sm' : 'max-w-lg',
      )}
    >
      <div className="mb-8 flex flex-col gap-2">
        <PageHeading>{heading}</PageHeading>
        {intro !== undefined && <p className="text-quiet">{intro}</p>}
      </div>
      {children}
    </div>
  )
}
