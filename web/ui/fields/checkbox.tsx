import { useId, type ComponentProps, type ReactNode } from 'react'
import { Check } from 'lucide-react'
import { classNames } from '#web/ui/style/class-names.ts'
import { FieldError } from './text-field.tsx'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  error?: string | undefined
  /** False if no error ever comes: no line is kept free for it. */
  keepsErrorLine?: boolean
}

/** A native checkbox; its label takes the style of the error with the box. */
export function Checkbox(props: CheckboxProps) {
  const { label, error, keepsErrorLine = true, className, ...input } = props
  const id = useId()
  const hasError = error !== undefined
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-11 items-center gap-3">
        <span className="relative flex size-6 shrink-0">
          <input
            {...input}
            id={id}
            type="checkbox"
            aria-invalid={hasError || undefined}
            aria-describedby={hasError ? `${id}-error` : undefined}
            className={classNames(
              'peer size-6 appearance-none rounded-[6px] border bg-raised transition-colors',
              'checked:border-accent checked:bg-accent',
              hasError ? 'border-error' : 'border-edge hover:border-quiet',
              className,
            )}
          />
          <Check
            size={20}
            strokeWidth={3}
            className="pointer-events-none absolute inset-0.5 text-accent-ink not-peer-checked:hidden"
          />
        </span>
        <label
          htmlFor={id}
          className={classNames('min-w-0 py-2 wrap-anywhere', hasError && 'text-error')}
        >
          {label}
        </label>
      </div>
      <FieldError id={`${id}-error`} error={error} keepsLine={keepsErrorLine} />
    </div>
  )
}
