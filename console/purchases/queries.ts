import { useQuery } from '@tanstack/react-query'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { projectQuery } from '#console/session/project.ts'
import { callQuery } from '#web/lib/api/call-query.ts'

export const purchaseQuery = (id: string) =>
  callQuery(['operator', 'purchase', id], operatorContract.getPurchaseRecord, { params: { id } })

const TERMS_STALE_MS = 5 * 60_000

/** The sale's coins and stages, by which purchases are filtered; empty while they load. */
export function useSaleTerms() {
  const project = useQuery({ ...projectQuery, staleTime: TERMS_STALE_MS })
  const stages = useQuery({
    ...callQuery(['operator', 'stages'], saleContract.listStages, {}),
    staleTime: TERMS_STALE_MS,
  })
  return {
    coins: project.data?.payment_tokens ?? [],
    tokenSymbol: project.data?.symbol ?? 'tokens',
    stages: stages.data ?? [],
    stageName: (id: string) => stages.data?.find((stage) => stage.id === id)?.name ?? id,
  }
}
