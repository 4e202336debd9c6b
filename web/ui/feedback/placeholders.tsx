import type { ReactNode } from 'react'
import { useMessages } from '#web/messages/use-messages.ts'
import { Button } from '#web/ui/actions.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { cup, Drawing, ground } from './drawing.tsx'

interface SkeletonProps {
  className?: string
  /** A text of the same length, never visible, if only that determines the height. */
  children?: ReactNode
}

/** A grey shape in the place and size of what is loading. Size it with classes, or with a text. */
export function Skeleton({ className, children }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-pulse skeleton rounded-control', className)}
    >
      {children !== undefined && <span className="invisible break-words">{children}</span>}
    </span>
  )
}

/** Grey lines, as many and as long as those of the text that is loading. */
export function SkeletonLines({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="animate-pulse skeleton rounded-control box-decoration-clone text-transparent select-none"
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
      className="inline-block h-[1em] max-w-full animate-pulse skeleton rounded-control align-middle"
      style={{ width: `${characters}ch` }}
    />
  )
}

export interface ErrorStateProps {
  /** A text, or the heading of a page that has nothing else. */
  title: ReactNode
  children?: ReactNode
  /** What is asked again on a press; left out if that would change nothing. */
  query?: { refetch: () => unknown; isFetching?: boolean }
}

/** Something could not be loaded: what, and a way to try again. */
export function ErrorState({ title, children, query }: ErrorStateProps) {
  const { ui } = useMessages()
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <FailureDrawing />
      <div className="font-strong">{title}</div>
      {children !== undefined && <div className="max-w-prose text-quiet">{children}</div>}
      {query !== undefined && (
        <Button
          variant="secondary"
          onClick={() => void query.refetch()}
          isBusy={query.isFetching ?? false}
        >
          {ui.tryAgain}
        </Button>
      )}
    </div>
  )
}

/** Something failed: the cup has tipped over, and the coin has rolled away. */
function FailureDrawing() {
  return (
    <Drawing className="h-16">
      <g transform="rotate(20 99 92)">{cup}</g>
      <circle cx={136} cy={79} r={13} className="fill-accent" />
      {ground}
    </Drawing>
  )
}

interface EmptyStateProps {
  /** A drawing, or a 24 px icon if there is no drawing for the subject. */
  icon?: ReactNode
  title: string
  children?: ReactNode
  /** What to do about it, such as a link to the first purchase. */
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      {icon !== undefined && <span className="text-quiet">{icon}</span>}
      <p className="font-strong">{title}</p>
      {children !== undefined && <div className="max-w-prose text-quiet">{children}</div>}
      {action}
    </div>
  )
}
