import { useId, type ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'

interface CardProps {
  title?: ReactNode
  /** At the right of the title. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** One surface with a hairline. Do not put a card inside a card. */
export function Card({ title, aside, className, children }: CardProps) {
  const titleId = useId()
  const hasTitle = title !== undefined
  return (
    <section
      aria-labelledby={hasTitle ? titleId : undefined}
      className={classNames(
        'flex min-w-0 flex-col gap-4 rounded-card border border-hairline bg-surface p-4 sm:p-6',
        className,
      )}
    >
      {hasTitle && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 id={titleId} className="text-16 font-strong">
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
