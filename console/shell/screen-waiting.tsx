import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

interface ScreenWaitingProps {
  /** True while there is no frame around it yet, which would keep it off the edges. */
  isAlone?: boolean
}

/** In the rough shape of a screen, while its code or its session is loading. */
export function ScreenWaiting({ isAlone = false }: ScreenWaitingProps) {
  return (
    <div
      role="status"
      className={classNames('flex animate-appear flex-col gap-6', isAlone && 'p-4 sm:p-6')}
    >
      <span className="sr-only">Loading …</span>
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}
