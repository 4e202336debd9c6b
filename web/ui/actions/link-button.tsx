import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'
import { classNames } from '#web/ui/style/class-names.ts'

interface LinkButtonProps extends ComponentProps<typeof Link> {
  variant?: ButtonVariant
  size?: ButtonSize
  isFullWidth?: boolean
}

/** A link inside the application that looks like a button. */
export function LinkButton({
  variant = 'primary',
  size = 'medium',
  isFullWidth = false,
  className,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} className={classNames(buttonStyle(variant, size, isFullWidth), className)} />
  )
}
