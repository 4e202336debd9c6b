import { classNames } from '#web/ui/style/class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'medium' | 'small'

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
