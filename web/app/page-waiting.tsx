import { useMessages } from '#web/messages/en.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

/** In the rough shape of a page, while its code is on the way. */
export function PageWaiting() {
  const { ui } = useMessages()
  return (
    <div role="status" className="flex animate-appear flex-col gap-6">
      <span className="sr-only">{ui.loading}</span>
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}
