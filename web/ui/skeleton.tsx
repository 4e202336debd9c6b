import { classNames } from './class-names.ts'

/** A grey shape in the place and size of what is on its way. Size it by classes. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-pulse rounded-control bg-raised', className)}
    />
  )
}

/** A skeleton as high as a line of text, `characters` wide. */
export function SkeletonText({ characters }: { characters: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block h-[1em] max-w-full animate-pulse rounded-control bg-raised align-middle"
      style={{ width: `${characters}ch` }}
    />
  )
}
