import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { call } from '#web/lib/api/call.ts'

/** What the chain shows of a payout changes without anybody's doing. */
export const LOOK_EVERY_MS = 10_000

/** One claim, refetched as often as the chain is read. */
export const claimQuery = (id: string) => ({
  queryKey: ['operator', 'claims', 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(refundClaimsContract.getRefundClaim, { params: { id } }, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})

/** One batch with what its files hold. */
export const batchQuery = (id: string) => ({
  queryKey: ['operator', 'batches', 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(refundBatchesContract.getRefundBatch, { params: { id } }, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})
