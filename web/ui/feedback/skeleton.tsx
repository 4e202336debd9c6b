import { classNames } from '#web/ui/style/class-names.ts'

interface SkeletonProps {
  className?: string
  /** A text of the same length, never seen, where only that says how high it is. */
  children?: string
}

/** A grey shape in the place and size of what is on its way. Size it by classes, or by a text. */
export function Skeleton({ className, children }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-pulse rounded-control bg-raised', className)}
    >
      {children !== undefined && <span className="invisible break-words">{children}</span>}
    </span>
  )
}

/** Grey lines as many and as long as those of a text like the one that is on its way. */
export function SkeletonLines({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="animate-pulse rounded-control bg-raised box-decoration-clone text-transparent select-none"
    >
      {children}
    </span>
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
