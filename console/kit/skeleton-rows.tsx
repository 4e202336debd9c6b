import { Skeleton } from '#web/ui/feedback/placeholders.tsx'

/** Takes the place of a table that is loading. */
export function SkeletonRows({ count = 8, height = 'h-9' }: { count?: number; height?: string }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: count }, (_, nth) => (
        <Skeleton key={nth} className={height} />
      ))}
    </div>
  )
}
