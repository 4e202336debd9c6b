import type { ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { classNames } from '#web/ui/style/class-names.ts'

interface FieldFrameProps {
  controlId: string
  label: string
  error?: string | undefined
  hint?: ReactNode
  /** False if errors are so rare that an empty line would only look like a gap. */
  keepsErrorLine?: boolean | undefined
  children: ReactNode
}

/** The ids with which a control refers to its error and its hint, in the order of the page. */
export function descriptionIds(controlId: string, hasHint: boolean, hasError: boolean) {
  const ids = [hasError && `${controlId}-error`, hasHint && `${controlId}-hint`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

/**
 * Label, control, error and hint, one below the other. One line is reserved for the error, at the
 * end, so that the hint is directly below the control until an error comes between them, and
 * nothing after the field jumps.
 */
export function FieldFrame(props: FieldFrameProps) {
  const { controlId, label, error, hint, keepsErrorLine = true, children } = props
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label
        htmlFor={controlId}
        id={`${controlId}-label`}
        className="self-start text-14 font-medium"
      >
        {label}
      </label>
      {children}
      <FieldError
        id={`${controlId}-error`}
        error={error}
        keepsLine={keepsErrorLine && hint === undefined}
      />
      {hint !== undefined && (
        <div
          id={`${controlId}-hint`}
          className={classNames(
            'text-14 text-quiet',
            keepsErrorLine && error === undefined && 'mb-[calc(1lh+--spacing(1))]',
          )}
        >
          {hint}
        </div>
      )}
    </div>
  )
}

interface FieldErrorProps {
  id: string
  error?: string | undefined
  keepsLine?: boolean
}

/** One line under a control: empty, or what is wrong with it. */
export function FieldError(props: FieldErrorProps) {
  const { id, error, keepsLine = true } = props
  return (
    <p
      id={id}
      aria-live="polite"
      className={classNames(
        'flex items-start gap-1 text-14 text-error',
        keepsLine ? 'min-h-[1lh]' : 'empty:-mt-1',
      )}
    >
      {error !== undefined && (
        <>
          <CircleAlert size={16} className="mt-0.5 shrink-0" />
          <span>{error}</span>
        </>
      )}
    </p>
  )
}
