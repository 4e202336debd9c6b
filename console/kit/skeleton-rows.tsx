import { Skeleton } from '#web/ui/feedback/placeholders.tsx'

export function SkeletonRows({ count = 8, height = 'h-9' }: { count?: number; height?: string }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: count }, (_, nth) => (
        <Skeleton key={nth} className={height} />
      ))}
    </div>
  )
}
