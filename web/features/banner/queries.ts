import { queryOptions, useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import { callQuery } from '#web/lib/api/call-query.ts'

const REFETCH_MS = 5 * 60_000

export const bannersQuery = queryOptions({
  ...callQuery(['banners'], saleContract.listBanners, {}),
  refetchInterval: REFETCH_MS,
})

/** The present notices; none if they cannot be loaded. */
export function useBanners() {
  return useQuery(bannersQuery).data ?? []
}
