import type { ComponentProps } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

/**
 * The accent as a surface: the one filled panel of a page, such as the head of the sale page or
 * what a completed purchase says. Inside it every colour of the tokens has another value, so text,
 * links, hairlines, buttons, fields, skeletons, the mark and the focus ring are used as elsewhere:
 * `text-ink` and `text-quiet` are dark, `bg-accent text-accent-ink` is a dark button. Give it an
 * `aria-labelledby` or `aria-label`; size and lay it out by `className`. Do not put one in another.
 */
export function AccentPanel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      data-surface="accent"
      className={classNames(
        'min-w-0 rounded-card border border-transparent print:border-hairline',
        className,
      )}
    />
  )
}
