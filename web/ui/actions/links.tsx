import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { classNames } from '#web/ui/style/class-names.ts'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'

interface LinkButtonProps extends ComponentProps<typeof Link> {
  variant?: ButtonVariant
  size?: ButtonSize
  isFullWidth?: boolean
}

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

const look =
  'text-ink font-medium underline decoration-edge underline-offset-4 hover:decoration-accent ' +
  'hover:text-accent transition-colors'

export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={classNames(look, className)} />
}

/** A link to something on this site that is no page of the application. */
export function PlainLink({ className, children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={classNames(look, className)}>
      {children}
    </a>
  )
}

/** A link to another site; opens in a new tab, so that a form in progress is kept. */
export function ExternalLink({ className, children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} target="_blank" rel="noreferrer" className={classNames(look, className)}>
      {children}
    </a>
  )
}
