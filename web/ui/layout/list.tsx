import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

interface ListProps {
  /** Names the list for screen readers. */
  label: string
  /** A grid, if the columns of all rows have to be as wide as the widest one. */
  className?: string
  children: ReactNode
}

/** Rows separated by hairlines. */
export function List({ label, className, children }: ListProps) {
  return (
    <ul aria-label={label} className={classNames('divide-y divide-hairline', className)}>
      {children}
    </ul>
  )
}

/** One row; lay out its content with a grid, which becomes a card's lines under 640 px. */
export function ListRow({ className, ...rest }: ComponentProps<'li'>) {
  return <li {...rest} className={classNames('min-h-16 py-3', className)} />
}

interface LabelledLineProps {
  label: ReactNode
  /** A heavier line, such as a total. */
  isStrong?: boolean
  children: ReactNode
}

/**
 * A name on the left and its value on the right, as in a summary, or below it if there is no room;
 * put them in a `<dl>`.
 */
export function LabelledLine({ label, isStrong = false, children }: LabelledLineProps) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 py-1">
      <dt className={classNames('flex-1 text-14', isStrong ? 'font-strong' : 'text-quiet')}>
        {label}
      </dt>
      <dd
        className={classNames(
          'tabular ml-auto text-right wrap-anywhere',
          isStrong && 'font-strong',
        )}
      >
        {children}
      </dd>
    </div>
  )
}
