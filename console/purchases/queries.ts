import { queryOptions, useQuery } from '@tanstack/react-query'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { projectQuery } from '#console/session/project.ts'
import { call } from '#web/lib/api/call.ts'

export const purchaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'purchase', id],
    queryFn: ({ signal }) =>
      call(operatorContract.getPurchaseRecord, { params: { id } }, { signal }),
  })

const TERMS_STALE_MS = 5 * 60_000

/** The sale's coins and stages, by which purchases are filtered; empty while they load. */
export function useSaleTerms() {
  const project = useQuery({ ...projectQuery, staleTime: TERMS_STALE_MS })
  const stages = useQuery({
    queryKey: ['operator', 'stages'],
    queryFn: ({ signal }) => call(saleContract.listStages, {}, { signal }),
    staleTime: TERMS_STALE_MS,
  })
  return {
    coins: project.data?.payment_tokens ?? [],
    tokenSymbol: project.data?.symbol ?? 'tokens',
    stages: stages.data ?? [],
    stageName: (id: string) => stages.data?.find((stage) => stage.id === id)?.name ?? id,
  }
}
