import { formatDecimal, formatGrouped, parseDecimal } from '#domain/money.ts'
import { OWED_CHANGED } from '#domain/refunds/claim-states.ts'
import { approvableAt } from '#domain/refunds/claim-terms.ts'
import { Refusal, waitText } from '#domain/refusal.ts'
import { promiseTransfers, releaseTransfers } from '#domain/settlement/ledger.ts'
import { type LedgerEntry, recordTransfers } from '#server/database/books/ledger.ts'
import { findNotified, mailKey } from '#server/database/books/outbox.ts'
import { lockPurchases, requestSettlements } from '#server/database/purchases/purchases.ts'
import { LEFT_FOLLOWED_DAYS, leftSince } from '#server/database/refunds/batches.ts'
import {
  type ClaimPartRow,
  type ClaimRow,
  closeClaim,
  findClaim,
  listClaimParts,
  listCoverage,
  listPartsOf,
  lockClaims,
  restoreRefundDue,
  updateClaims,
} from '#server/database/refunds/claims.ts'
import { listUnsureElsewhere } from '#server/database/refunds/named-transactions.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { deleteRefundDue, findOwedReceipt } from '#server/database/settlement/refunds.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWait,
  requireApproval,
  type WaitsForApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { idsOf, mailAboutClaim, noSuchClaim, notifyOfClaim } from './claim-refund.ts'
import { paysOf, tokenOf, marketValueOf } from './claim-view.ts'

export type SeenClaim = {
  id: string
  /** What the operator saw; the amount in decimals. */
  amount: string
  address: string
}

const untoldTexts = {
  waits:
    'The buyer has not been told of this claim yet, and it may be a thief’s: its mail still waits ' +
    'to be sent. Get mail working and approve it then, or reject it',
  lost:
    'The buyer has not been told of this claim, and it may be a thief’s: its mail could not be ' +
    'sent for days. Have support tell the buyer some other way and put the lost mail in the inbox ' +
    'away, and approve it then, or reject it',
}

/**
 * Promises what is claimed: from now on no payment changes it. A claim worth more than the sale
 * file's limit waits for a second person: throws `WaitsForApproval`. If what is owed is no longer
 * what was claimed, the claim is closed. Refuses with `NotFound`, `ClaimClosed`, `ClaimChanged`,
 * `ClaimTooEarly`, `RefundChanged`.
 */
export async function approveClaim(services: Services, seen: SeenClaim, operator: Operator) {
  // The last block may have changed what is owed.
  await settleDue(services)
  await requireClaim(services, seen.id)
  const outcome = await actOrWait(services, operator, async (transaction) => {
    const { claim, parts } = await lockWhole(transaction, seen.id)
    if (claim.state === 'approved') return 'approved'
    if (claim.state !== 'claimed') throw new Refusal('ClaimClosed')
    const { decimals, symbol } = tokenOf(services, claim)
    if (claim.address !== seen.address || parseDecimal(seen.amount, decimals) !== claim.amount) {
      throw new Refusal('ClaimChanged')
    }
    await requireNoticed(services, transaction, claim)
    if (parts.some((part) => part.is_held)) {
      throw new Refusal('ClaimTooEarly', {
        message: 'A purchase of this claim is held. Release it first, or reject the claim',
      })
    }
    if (!(await isOwedAsClaimed(transaction, parts))) {
      await close(services, transaction, { claim, parts }, OWED_CHANGED)
      const details = { claim_id: claim.id, reason: OWED_CHANGED }
      const act = { act: 'rejectRefundClaim' as const, userId: claim.user_id, details }
      await recordAction(services, transaction, theServer, act)
      return 'rejected'
    }
    const amount = formatDecimal(claim.amount, decimals)
    const fee = formatDecimal(claim.fee, decimals)
    const text = (figure: bigint) => formatGrouped(figure, decimals)
    const less = `, less ${text(claim.fee)} for the network: ${text(paysOf(claim))}`
    const shares = `${text(claim.amount)}${claim.fee === 0n ? '' : less}`
    const waits = await waitForSecond(services, transaction, claim, operator, {
      input: { id: claim.id, amount, address: claim.address },
      summary: `Approve a claim to ${shares} ${symbol}, to be paid to ${claim.address}`,
    })
    if (waits !== null) return waits
    await promise(services, transaction, { claim, parts })
    await recordAction(services, transaction, operator, {
      act: 'approveRefundClaim',
      userId: claim.user_id,
      details: {
        claim_id: claim.id,
        asset: claim.payment_token_id,
        amount,
        fee,
        address: claim.address,
      },
    })
    return 'approved'
  })
  if (outcome === 'rejected') {
    throw new Refusal('RefundChanged', {
      message: 'What is owed is no longer what was claimed. The claim was closed',
    })
  }
}

/**
 * Closes a claim that is in no batch, giving its buyer a reason: what was promised is owed again.
 * Refuses with `NotFound`, and with `ClaimClosed` also while a transaction may still pay it.
 */
export async function rejectClaim(
  services: Services,
  { id, reason }: { id: string; reason: string },
  operator: Operator,
): Promise<void> {
  await requireClaim(services, id)
  await services.database.transaction().execute(async (transaction) => {
    // `settlements_due` before the purchases: settling locks them in this order.
    await requestSettlements(transaction, idsOf(await listPartsOf(transaction, id)))
    const { claim, parts } = await lockWhole(transaction, id)
    if (claim.state !== 'claimed' && claim.state !== 'approved') throw new Refusal('ClaimClosed')
    await requireNothingOnItsWay(services, transaction, claim)
    await close(services, transaction, { claim, parts }, reason)
    const details = { claim_id: id, was: claim.state, reason }
    const act = { act: 'rejectRefundClaim' as const, userId: claim.user_id, details }
    await recordAction(services, transaction, operator, act)
  })
  await settleDue(services)
}

/**
 * Refuses while a transaction of a cancelled batch may pay the claim: once it is rejected, the
 * buyer may claim the same money again. A mined one that nobody can read is for the operator to
 * look at.
 */
async function requireNothingOnItsWay(
  { clock }: Services,
  transaction: DatabaseTransaction,
  { id }: ClaimRow,
): Promise<void> {
  const unsure = await listUnsureElsewhere(transaction, [id], leftSince(clock.now()))
  const [found] = unsure.filter(({ state }) => state !== 'unread')
  if (found === undefined) return
  const message = found.state === null ? isUnseen(found.hash) : mayStillPay(found.hash)
  throw new Refusal('ClaimClosed', { message })
}

const mayStillPay = (hash: string) =>
  `The transaction ${hash} of an earlier batch may still pay this claim: wait until it is in a ` +
  'block. If it is not to be, and pays nobody else, use its nonce or its coins for another one, ' +
  'and wait until that is mined'

const isUnseen = (hash: string) =>
  `The transaction ${hash} was named for an earlier batch, and no node has shown so far that it ` +
  'pays this claim: if it was sent, wait until it is in a block. If it was never sent, was ' +
  `replaced, or pays others, the claim can be rejected ${LEFT_FOLLOWED_DAYS} days after it has ` +
  'left that batch. Another batch can pay it meanwhile'

type WholeClaim = { claim: ClaimRow; parts: readonly ClaimPartRow[] }

async function requireClaim({ database }: Services, id: string): Promise<void> {
  const claim = isId(id) ? await findClaim(database, id) : null
  if (claim === null) throw noSuchClaim()
}

async function lockWhole(transaction: DatabaseTransaction, id: string): Promise<WholeClaim> {
  const [claim] = await lockWithPurchases(transaction, [id])
  if (claim === undefined) throw noSuchClaim()
  return { claim, parts: await listPartsOf(transaction, id) }
}

/** Refuses while the buyer, who may not be the one who claimed, has not had a day to cancel. */
async function requireNoticed(
  { clock }: Services,
  transaction: DatabaseTransaction,
  claim: ClaimRow,
): Promise<void> {
  const now = clock.now()
  if (now < claim.approvable_at) throw new Refusal('ClaimTooEarly')
  const notifiedAt = await findNotified(transaction, mailKey('refund_claimed', claim.id))
  if (notifiedAt === 'waits' || notifiedAt === 'lost') {
    throw new Refusal('ClaimTooEarly', { message: untoldTexts[notifiedAt] })
  }
  if (notifiedAt === null) return
  const leftMs = approvableAt(claim.claimed_at, notifiedAt).getTime() - now.getTime()
  if (leftMs <= 0) return
  const retryAfterSeconds = Math.ceil(leftMs / 1000)
  const again = `Approve it ${waitText(retryAfterSeconds)}`
  throw new Refusal('ClaimTooEarly', {
    message: `The buyer was told of this claim late, and has a day to cancel it. ${again}`,
    retryAfterSeconds,
  })
}

/** Locks the purchases that claims cover, and then the claims: settling waits for it. */
export async function lockWithPurchases(transaction: DatabaseTransaction, ids: readonly string[]) {
  const parts = await listClaimParts(transaction, ids)
  await lockPurchases(transaction, idsOf([...parts.values()].flat()))
  return await lockClaims(transaction, ids)
}

/** Whether each part is owed as it was when it was claimed, and its money is there. */
async function isOwedAsClaimed(
  transaction: DatabaseTransaction,
  parts: readonly ClaimPartRow[],
): Promise<boolean> {
  for (const { receipt_id: receiptId, amount, why, is_covered: isCovered } of parts) {
    const owed = (await findOwedReceipt(transaction, receiptId))?.owed ?? null
    if (owed === null || owed.amount !== amount || owed.why !== why || !isCovered) return false
  }
  return true
}

async function waitForSecond(
  services: Services,
  transaction: DatabaseTransaction,
  claim: ClaimRow,
  operator: Operator,
  asked: { input: SeenClaim; summary: string },
): Promise<WaitsForApproval | null> {
  const usd = marketValueOf(services, await loadMarket(transaction), claim)
  // Something without a price may be worth any amount.
  if (usd !== null && usd <= services.sale.approvals.refundOver) return null
  const act = { act: 'approveRefundClaim' as const, about: claim.id, usd, ...asked }
  return await requireApproval(services, transaction, operator, act)
}

/** Takes the claimed amounts off the list of what is owed. */
async function promise(
  services: Services,
  transaction: DatabaseTransaction,
  { claim, parts }: WholeClaim,
): Promise<void> {
  const now = services.clock.now()
  for (const { receipt_id: receiptId } of parts) await deleteRefundDue(transaction, receiptId)
  await updateClaims(transaction, [claim.id], { state: 'approved', approved_at: now })
  const entries = parts.flatMap((part) =>
    entriesOf(claim, part, promiseTransfers(claim.payment_token_id, part.amount)),
  )
  await recordTransfers(transaction, entries, now)
  await notifyOfClaim(transaction, claim)
}

/** Rejects a claim; what was promised to it is owed again, so its purchases have to be settled. */
async function close(
  services: Services,
  transaction: DatabaseTransaction,
  { claim, parts }: WholeClaim,
  reason: string,
): Promise<void> {
  const now = services.clock.now()
  if (claim.state === 'approved') {
    const coverage = await listCoverage(
      transaction,
      parts.map(({ receipt_id }) => receipt_id),
    )
    const entries = parts.flatMap((part) => {
      const { booked, paidBack } = coverage.get(part.receipt_id) ?? { booked: 0n, paidBack: 0n }
      const lost = excess(paidBack, booked) - excess(paidBack - part.amount, booked)
      const transfers = releaseTransfers(claim.payment_token_id, part.amount, lost)
      return entriesOf(claim, part, transfers)
    })
    await recordTransfers(transaction, entries, now)
    await restoreRefundDue(transaction, parts)
  }
  await closeClaim(transaction, claim.id, { state: 'rejected', reason, closed_at: now })
  await mailAboutClaim(transaction, claim, 'refund_claim_rejected', now)
  await notifyOfClaim(transaction, claim)
}

const excess = (amount: bigint, beyond: bigint) => (amount > beyond ? amount - beyond : 0n)

/** Ledger transfers for a part of a claim: they belong to its purchase. */
export function entriesOf(
  { user_id: userId }: ClaimRow,
  { purchase_id: causeId }: Pick<ClaimPartRow, 'purchase_id'>,
  transfers: readonly Pick<LedgerEntry, 'source' | 'destination' | 'asset' | 'amount'>[],
): LedgerEntry[] {
  return transfers.map((transfer) => ({ ...transfer, causeId, userId }))
}
