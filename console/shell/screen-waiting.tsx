import { Skeleton } from '#web/ui/feedback/placeholders.tsx'

/** In the rough shape of a screen, while its code or its session is loading. */
export function ScreenWaiting() {
  return (
    <div role="status" className="flex animate-appear flex-col gap-6 p-4 sm:p-6">
      <span className="sr-only">Loading …</span>
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}
