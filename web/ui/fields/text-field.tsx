import { type ReactNode, useId, type ComponentProps, useState } from 'react'
import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { IconButton } from '#web/ui/actions.tsx'
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

/** A password that can be shown or hidden. The caller says which password by `autoComplete`. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  const { ui } = useMessages()
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      suffix={
        <IconButton
          label={isShown ? ui.hidePassword : ui.showPassword}
          aria-pressed={isShown}
          icon={isShown ? <EyeOff size={20} /> : <Eye size={20} />}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
