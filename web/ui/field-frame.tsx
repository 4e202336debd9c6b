import type { ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { classNames } from './class-names.ts'

interface FieldFrameProps {
  /** The id of the control that the label names. */
  controlId: string
  label: string
  /** Stands at the right of the label, such as a balance or a link. */
  labelAside?: ReactNode
  error?: string | undefined
  hint?: ReactNode
  /** False where an error hardly ever comes, so that an empty line would only be a hole. */
  keepsErrorLine?: boolean | undefined
  children: ReactNode
}

/** The ids by which a control points at its hint and its error. */
export function descriptionIds(controlId: string, hasHint: boolean, hasError: boolean) {
  const ids = [hasHint && `${controlId}-hint`, hasError && `${controlId}-error`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

/**
 * Label and hint above, the error directly below. What is to be typed is known before, also where a
 * keyboard covers the rest; the error keeps one line free, so that nothing jumps.
 */
export function FieldFrame(props: FieldFrameProps) {
  const { controlId, label, labelAside, error, hint, keepsErrorLine = true, children } = props
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={controlId} id={`${controlId}-label`} className="text-14 font-medium">
          {label}
        </label>
        {labelAside}
      </div>
      {hint !== undefined && (
        <div id={`${controlId}-hint`} className="text-14 text-quiet">
          {hint}
        </div>
      )}
      {children}
      <FieldError id={`${controlId}-error`} error={error} keepsLine={keepsErrorLine} />
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
          <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span>{error}</span>
        </>
      )}
    </p>
  )
}
