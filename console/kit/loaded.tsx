import type { ReactNode } from 'react'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { isRefusal, messageOf } from '#web/lib/api/call.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'

/** How often an open page asks again for what changes without anything being done on it. */
export const LOOK_EVERY_MS = 10_000

/** The query that makes a call, and makes it again as long as the page is open. */
export function watchedQuery<E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: InputOf<E>,
) {
  return queryOptions({ ...callQuery(queryKey, endpoint, input), refetchInterval: LOOK_EVERY_MS })
}

export interface LoadedQuery<Data> {
  data: Data | undefined
  error: unknown
  dataUpdatedAt: number
  isFetching: boolean
  /** Of a list in pages: what is shown is as it was asked for, and lacks only the next rows. */
  isFetchNextPageError?: boolean
  refetch: () => Promise<unknown>
}

interface LoadedProps<Data> {
  query: LoadedQuery<Data>
  /** What is loaded, as the sentence of a failure names it: 'The purchases'. */
  what: string
  /** In the shape of the data to come; of one grey shape only its size: 'h-96'. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows what a query has loaded; its skeleton before that, and if it failed, the reason and a
 * retry. What could not be loaded again is shown with its age; what one may no longer see is not.
 */
export function Loaded<Data>({ query, what, skeleton, children }: LoadedProps<Data>) {
  const { data, error } = query
  if (isRefusal(error, 'PermissionMissing')) {
    return <ErrorState title="You may not see this">{error.message}.</ErrorState>
  }
  if (data !== undefined) {
    return (
      <>
        {error !== null && query.isFetchNextPageError !== true && <Outdated query={query} />}
        {children(data)}
      </>
    )
  }
  if (error === null) {
    return (
      <div role="status">
        <span className="sr-only">Loading …</span>
        {typeof skeleton === 'string' ? <Skeleton className={skeleton} /> : skeleton}
      </div>
    )
  }
  return (
    <ErrorState title={`${what} could not be loaded`} query={query}>
      {messageOf(error, 'The server does not answer.')}
    </ErrorState>
  )
}

const clock = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function Outdated({ query }: { query: LoadedQuery<unknown> }) {
  const { error, dataUpdatedAt, isFetching, refetch } = query
  return (
    <div role="status">
      <Banner
        tone="warning"
        action={
          <Button variant="quiet" size="small" isBusy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {messageOf(error, 'The server does not answer')}. This is as of{' '}
        {clock.format(dataUpdatedAt)}.
      </Banner>
    </div>
  )
}

export function SkeletonRows({ count = 8, height = 'h-9' }: { count?: number; height?: string }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: count }, (_, nth) => (
        <Skeleton key={nth} className={height} />
      ))}
    </div>
  )
}
