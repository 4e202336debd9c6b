import type { ReactNode } from 'react'
import { isRefusal, messageOf } from '#web/lib/api/call.ts'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'

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
  /** In the shape of the data to come. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows what a query has loaded; its skeleton before that, and if it failed, the reason and a
 * retry.
 */
export function Loaded<Data>({ query, what, skeleton, children }: LoadedProps<Data>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error === null) {
    return (
      <div role="status">
        <span className="sr-only">Loading …</span>
        {skeleton}
      </div>
    )
  }
  if (isRefusal(error, 'PermissionMissing')) {
    return <ErrorState title="You may not see this">{error.message}.</ErrorState>
  }
  return (
    <ErrorState title={`${what} could not be loaded`} query={query}>
      {messageOf(error, 'The server does not answer.')}
    </ErrorState>
  )
}
