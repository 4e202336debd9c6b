import { queryOptions, useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import { call } from '#web/lib/api/call.ts'

const REFETCH_MS = 5 * 60_000

export const bannersQuery = queryOptions({
  queryKey: ['banners'],
  queryFn: ({ signal }) => call(saleContract.listBanners, {}, { signal }),
  refetchInterval: REFETCH_MS,
})

/** The present notices; none if they cannot be loaded. */
export function useBanners() {
  return useQuery(bannersQuery).data ?? []
}
