import { useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'
import { descriptionIds, FieldFrame } from './field-frame.tsx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'prefix'> {
  label: string
  error?: string | undefined
  hint?: ReactNode
  /** False if an error hardly ever comes: no line is kept free for it. */
  keepsErrorLine?: boolean
  /** Inside the frame, before the text: a currency sign, a flag. */
  prefix?: ReactNode
  /** Inside the frame, after the text: a unit, a button. */
  suffix?: ReactNode
}

/** A labelled text input. Takes every attribute of an input, `ref` included. */
export function TextField(props: TextFieldProps) {
  const { label, error, hint, keepsErrorLine, prefix, suffix, className, ...input } = props
  const ownId = useId()
  const id = input.id ?? ownId
  const hasError = error !== undefined
  return (
    <FieldFrame
      controlId={id}
      label={label}
      error={error}
      hint={hint}
      keepsErrorLine={keepsErrorLine}
    >
      <div
        className={classNames(
          'flex min-h-11 items-stretch rounded-control border transition-colors',
          'has-[input:focus-visible]:border-accent has-[input:focus-visible]:outline-2',
          'has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-accent',
          'has-[input:disabled]:opacity-60',
          frameLook(hasError, input.readOnly),
        )}
      >
        {prefix !== undefined && (
          <span className="flex items-center pl-3 text-quiet">{prefix}</span>
        )}
        <input
          {...input}
          id={id}
          aria-invalid={hasError || undefined}
          aria-describedby={descriptionIds(id, hint !== undefined, hasError)}
          className={classNames(
            'w-full min-w-0 rounded-control bg-transparent px-3 text-16 placeholder:text-quiet',
            'outline-none read-only:text-quiet',
            className,
          )}
        />
        {suffix !== undefined && (
          <span className="flex shrink-0 items-center text-quiet">{suffix}</span>
        )}
      </div>
    </FieldFrame>
  )
}

/** A read-only field does not look as if one could type into it. */
function frameLook(hasError: boolean, isReadOnly = false): string {
  if (isReadOnly) return 'border-hairline'
  return classNames('bg-raised', hasError ? 'border-error' : 'border-edge hover:border-quiet')
}
