import { useSearchParams } from 'react-router'
import type { ListFilter } from '#web/features/purchase/transaction-cache.ts'
import { searches } from '#web/lib/paths.ts'
import { useSearch } from '#web/lib/use-search.ts'

export function useListFilter() {
  const { state } = useSearch(searches.buy)
  const [, setSearch] = useSearchParams()
  const value: ListFilter = state ?? 'all'
  return {
    value,
    onChange(next: ListFilter) {
      setSearch(
        (before) => {
          const search = new URLSearchParams(before)
          if (next === 'all') search.delete('state')
          else search.set('state', next)
          return search
        },
        { replace: true, preventScrollReset: true },
      )
    },
  }
}
