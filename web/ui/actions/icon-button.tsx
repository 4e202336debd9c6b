import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

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
