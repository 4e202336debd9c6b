import { CircleAlert } from 'lucide-react'

interface RefusalLineProps {
  id: string
  /** The server's sentence; null while nothing was refused. */
  refusal: string | null
}

/**
 * Why the last attempt was refused, until the next one; room for the line is always kept. It is not
 * an alert: the toast with the same sentence is one, and it would be read out twice.
 */
export function RefusalLine({ id, refusal }: RefusalLineProps) {
  return (
    <p id={id} className="flex min-h-[1lh] items-start gap-1 text-14 text-error">
      {refusal !== null && (
        <>
          <CircleAlert size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">{refusal}</span>
        </>
      )}
    </p>
  )
}
