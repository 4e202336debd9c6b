import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { Spinner } from './spinner.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  isFullWidth?: boolean
  /** Shows a spinner in the button and ignores presses, without losing focus or width. */
  isBusy?: boolean
}

/** The next thing to do is `primary`; only one such button may be visible. */
export function Button({
  variant = 'primary',
  size = 'medium',
  isFullWidth = false,
  isBusy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={isBusy ? 'button' : type}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
      className={classNames(
        buttonStyle(variant, size, isFullWidth),
        isBusy && 'cursor-progress',
        className,
      )}
    >
      {isBusy && <Spinner size={16} />}
      {children}
    </button>
  )
}
