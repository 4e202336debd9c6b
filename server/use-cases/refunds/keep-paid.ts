import { invariant } from '#domain/invariant.ts'
import { Refusal } from '#domain/refusal.ts'
import { claimPaidTransfers } from '#domain/settlement/ledger.ts'
import { recordTransfers } from '#server/database/books/ledger.ts'
import { type BatchRow, updateBatch } from '#server/database/refunds/batches.ts'
import {
  type ClaimRow,
  closeClaim,
  listPartsOf,
  updateClaims,
} from '#server/database/refunds/claims.ts'
import {
  hasPaidOtherBatch,
  insertRefundPayment,
} from '#server/database/settlement/refund-payments.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { mailAboutClaim, notifyOfClaim } from './claim-refund.ts'
import { entriesOf } from './decide-claim.ts'

/**
 * Records that a transaction paid a claim, and mails the buyer: each of its parts is a paid refund.
 * Call it with the claim `sent`, and locked.
 */
export async function keepPaid(
  { clock }: Services,
  transaction: DatabaseTransaction,
  claim: ClaimRow,
  hash: string,
): Promise<void> {
  const now = clock.now()
  const parts = await listPartsOf(transaction, claim.id)
  for (const part of parts) {
    const payment = {
      receipt_id: part.receipt_id,
      purchase_id: part.purchase_id,
      amount: part.amount,
      fee: part.fee,
      claim_id: claim.id,
      why: part.why,
      owed_since: part.owed_since,
      chain: claim.chain,
      transaction_hash: hash,
      paid_at: now,
    }
    const paymentId = await insertRefundPayment(transaction, payment, true)
    invariant(paymentId !== null, 'Refunds of one transaction find places within a few tries.')
  }
  const entries = parts.flatMap((part) =>
    entriesOf(claim, part, claimPaidTransfers(claim.payment_token_id, part.amount, part.fee)),
  )
  await recordTransfers(transaction, entries, now)
  await closeClaim(transaction, claim.id, { state: 'confirmed', closed_at: now })
  await mailAboutClaim(transaction, claim, 'refund_claim_paid', now)
  await notifyOfClaim(transaction, claim)
}

/**
 * Records that all claims of a batch were paid by a transaction that this server cannot read.
 * Refuses with `HashUsed` if it paid another batch.
 */
export async function keepPaidByHand(
  services: Services,
  transaction: DatabaseTransaction,
  claims: readonly ClaimRow[],
  { batch, hash }: { batch: BatchRow; hash: string },
): Promise<void> {
  for (const claim of claims) {
    const sent = { state: 'sent' as const, transaction_hash: hash }
    await updateClaims(transaction, [claim.id], sent)
    await keepPaid(services, transaction, { ...claim, ...sent }, hash)
  }
  // After the write, which waits for others who write the same transaction.
  if (await hasPaidOtherBatch(transaction, { batchId: batch.id, chain: batch.chain, hash })) {
    throw new Refusal('HashUsed', {
      message: 'This transaction paid another batch. Give the hash of the one that pays this batch',
    })
  }
  const closed = { state: 'confirmed' as const, closed_at: services.clock.now() }
  await updateBatch(transaction, batch.id, closed)
}
