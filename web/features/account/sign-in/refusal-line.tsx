import { CircleAlert } from 'lucide-react'

interface RefusalLineProps {
  id: string
  /** The server's sentence; null while nothing was refused. */
  refusal: string | null
}

/**
 * Why the last try was refused, for as long as there is no other one; its line is kept free. It is
 * no alert: the toast with the same sentence is one, and would be read twice.
 */
export function RefusalLine({ id, refusal }: RefusalLineProps) {
  return (
    <p id={id} className="flex min-h-[1lh] items-start gap-1 text-14 text-error">
      {refusal !== null && (
        <>
          <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">{refusal}</span>
        </>
      )}
    </p>
  )
}
