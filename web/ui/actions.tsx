import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '#web/ui/style/class-names.ts'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
type ButtonSize = 'medium' | 'small'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover font-strong',
  secondary: 'border border-edge text-ink hover:bg-raised hover:border-quiet font-medium',
  quiet: 'text-quiet hover:text-ink hover:bg-raised font-medium',
  danger: 'border border-error text-error hover:bg-error/10 font-medium',
}

/** Small buttons keep a 44 px target through an invisible margin around what is drawn. */
const sizes: Record<ButtonSize, string> = {
  medium: 'min-h-11 px-5 text-16',
  small: 'min-h-9 px-3 py-1 text-14 relative after:absolute after:-inset-1',
}

/** The look shared by buttons and by links that act as one. */
export function buttonStyle(
  variant: ButtonVariant,
  size: ButtonSize,
  isFullWidth: boolean,
): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-control text-center transition-colors',
    'print:hidden disabled:cursor-not-allowed disabled:border-transparent disabled:bg-raised disabled:text-quiet',
    variants[variant],
    sizes[size],
    isFullWidth && 'w-full',
  )
}

interface SpinnerProps {
  /** Side in CSS pixels of the browser's usual text; it grows with the text. */
  size?: number
  /** Announced to screen readers; without it the spinner is decoration. */
  label?: string
}

/** An operation of unknown length is running: the coin of the logo spins. */
export function Spinner({ size = 24, label }: SpinnerProps) {
  const coin = (
    <svg
      viewBox="0 0 24 24"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
      className="shrink-0 fill-none"
    >
      <circle cx="12" cy="12" r="10.5" stroke="currentColor" strokeWidth={2} opacity={0.35} />
      <circle cx="12" cy="12" r="6.5" fill="currentColor" className="origin-center animate-turn" />
    </svg>
  )
  if (label === undefined) return coin
  return (
    <span role="status" className="inline-flex items-center gap-3 text-quiet">
      {coin}
      <span>{label}</span>
    </span>
  )
}

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

/** One of several acts on a card or in a row of a table. */
export function SmallButton(props: Omit<ButtonProps, 'variant' | 'size'>) {
  return <Button variant="secondary" size="small" {...props} />
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What the button does, in words: its accessible name and its title. */
  label: string
  icon: ReactNode
}

/** A button with only an icon, large enough for a finger. */
export function IconButton({ label, icon, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-control text-quiet',
        'transition-colors hover:bg-raised hover:text-ink disabled:opacity-50',
        className,
      )}
    >
      {icon}
    </button>
  )
}

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
