import type { ReactNode } from 'react'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { isRefusal, messageOf } from '#web/lib/api/call.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
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
  isFetching: boolean
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
 * retry. What one may no longer see is not shown, although it was loaded.
 */
export function Loaded<Data>({ query, what, skeleton, children }: LoadedProps<Data>) {
  const { data, error } = query
  if (isRefusal(error, 'PermissionMissing')) {
    return <ErrorState title="You may not see this">{error.message}.</ErrorState>
  }
  if (data !== undefined) return children(data)
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

export function SkeletonRows({ count = 8, height = 'h-9' }: { count?: number; height?: string }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: count }, (_, nth) => (
        <Skeleton key={nth} className={height} />
      ))}
    </div>
  )
}
