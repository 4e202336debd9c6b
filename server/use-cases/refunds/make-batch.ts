import { Refusal, wrongField } from '#domain/refusal.ts'
import { type RailName, railNames } from '#domain/sale/sale.ts'
import { findChain } from '#server/database/rails/chains.ts'
import { insertBatch, lockClaimsToBatch } from '#server/database/refunds/batches.ts'
import { type ClaimRow, updateClaims } from '#server/database/refunds/claims.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { PAYOUTS_A_BATCH_MAX } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWait,
  requireApproval,
  type WaitsForApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { centsText } from '#server/use-cases/sale/amount-texts.ts'
import { type BatchRecord, getBatch, hashOfRows } from './batch-view.ts'
import { notifyOfClaim } from './claim-refund.ts'
import { marketValueOfAll } from './claim-view.ts'
import { listPayable } from './list-payable.ts'

export type WantedBatch = {
  rail: string
  chain: string
  paymentTokenId: string | null
  /** Null: all that are approved. */
  claimIds: readonly string[] | null
  /** The hash of what a second person has approved to be sent. */
  sha256?: string
}

/**
 * Puts approved claims on one chain together, oldest first. Claims whose money is gone or was sent
 * before, or that have a held purchase, are left out. A batch worth more than the sale file's limit
 * waits for a second person: throws `WaitsForApproval`. Refuses with `InvalidInput`,
 * `NothingToBatch`, with `ClaimClosed` if a named claim is no longer approved, and with
 * `ApprovalChanged` if it would send something other than what a second person has approved.
 */
export async function makeBatch(
  services: Services,
  wanted: WantedBatch,
  operator: Operator,
): Promise<{ batch: BatchRecord; leftOut: readonly string[] }> {
  const { rail, chain } = requireRail(services, wanted)
  const made = await actOrWait(services, operator, async (transaction) => {
    const claims = await lockClaimsToBatch(
      transaction,
      { ...wanted, ids: wanted.claimIds },
      PAYOUTS_A_BATCH_MAX,
    )
    if (wanted.claimIds !== null && claims.length < new Set(wanted.claimIds).size) {
      throw new Refusal('ClaimClosed', {
        message: 'A claim that you named is no longer approved, or belongs to another chain',
      })
    }
    const payable = await listPayable(transaction, claims)
    if (payable.length === 0 && claims.length > 0) {
      throw new Refusal('NothingToBatch', {
        message:
          'What is approved there cannot be paid now: its money has gone from its chain, its ' +
          'purchase is held, or it was paid to a claim that had been rejected. See the inbox',
      })
    }
    if (payable.length === 0) throw new Refusal('NothingToBatch')
    if (wanted.sha256 !== undefined && hashOfRows(payable) !== wanted.sha256) {
      throw new Refusal('ApprovalChanged', {
        message:
          `Of the ${claims.length} claims that were approved together, ${payable.length} can be ` +
          'paid by now. Make the batch again, and have that approved',
      })
    }
    const waits = await waitForSecond(services, transaction, wanted, payable, operator)
    if (waits !== null) return waits
    const sinceHeight = (await findChain(transaction, chain))?.height ?? 0n
    const now = services.clock.now()
    const ids = payable.map(({ id }) => id)
    const row = { rail, chain, since_height: sinceHeight, created_at: now }
    const batch = await insertBatch(transaction, row, ids)
    await updateClaims(transaction, ids, { state: 'batched', batch_id: batch.id })
    for (const claim of payable) await notifyOfClaim(transaction, claim)
    await recordAction(services, transaction, operator, {
      act: 'makeRefundBatch',
      details: {
        batch_id: String(batch.id),
        chain,
        claims: String(ids.length),
        sha256: hashOfRows(payable),
      },
    })
    const leftOut = claims.map(({ id }) => id).filter((id) => !ids.includes(id))
    return { id: batch.id, leftOut }
  })
  return { batch: await getBatch(services, made.id), leftOut: made.leftOut }
}

function requireRail(
  { rails }: Services,
  { rail: name, chain, paymentTokenId }: WantedBatch,
): { rail: RailName; chain: string } {
  const rail = railNames.find((each): each is RailName => each === name)
  const found = rail && rails.get(rail)
  if (rail === undefined || found === undefined) {
    throw wrongField('rail', 'Nothing in this sale is paid by this rail')
  }
  // One recorded transaction paid the whole batch.
  if (found.payouts === undefined && paymentTokenId === null) {
    throw wrongField('payment_token_id', 'Give the coin: a gateway sends one coin per transaction')
  }
  return { rail, chain }
}

async function waitForSecond(
  services: Services,
  transaction: DatabaseTransaction,
  wanted: WantedBatch,
  claims: readonly ClaimRow[],
  operator: Operator,
): Promise<WaitsForApproval | null> {
  const usd = marketValueOfAll(services, await loadMarket(transaction), claims)
  // Something without a price may be worth any amount.
  if (usd !== null && usd <= services.sale.approvals.refundOver) return null
  const value = usd === null ? 'of unknown worth' : `worth ${centsText(usd)}`
  const refunds = claims.length === 1 ? 'one claimed refund' : `${claims.length} claimed refunds`
  return await requireApproval(services, transaction, operator, {
    act: 'makeRefundBatch',
    input: {
      rail: wanted.rail,
      chain: wanted.chain,
      payment_token_id: wanted.paymentTokenId,
      claim_ids: claims.map(({ id }) => id).toSorted(),
      sha256: hashOfRows(claims),
    },
    summary: `Send ${refunds} on ${wanted.chain}, ${value}`,
    about: null,
    usd,
  })
}
