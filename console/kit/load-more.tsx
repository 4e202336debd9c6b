import { Button } from '#web/ui/actions/button.tsx'

export interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** Shown below a table that has another page. */
export function LoadMore({ query }: { query: MorePages }) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="secondary"
      onClick={() => void query.fetchNextPage()}
      isBusy={query.isFetchingNextPage}
      className="self-center"
    >
      Show more
    </Button>
  )
}
