import type { LiveChange } from '#domain/live-change.ts'
import { formatGrouped, parseDecimal } from '#domain/money.ts'
import { activeClaimStates } from '#domain/refunds/claim-states.ts'
import { agreedFee, approvableAt, type ClaimTerms, shareFee } from '#domain/refunds/claim-terms.ts'
import { Refusal } from '#domain/refusal.ts'
import { type PaymentToken, paymentTokenOf } from '#domain/sale/sale.ts'
import { enqueueMail, mailKey, type MailKind } from '#server/database/books/outbox.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { lockPurchases, requestSettlements } from '#server/database/purchases/purchases.ts'
import {
  type ClaimRow,
  closeClaim,
  findClaim,
  insertClaim,
  listClaimsOf,
  listPartsOf,
  lockClaims,
} from '#server/database/refunds/claims.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import {
  clearCodeTries,
  lockProvedOwner,
  type OwnerProof,
  requireOwnerProof,
  requireVerifiedEmail,
} from '#server/use-cases/access/user-account.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { type ClaimView, viewClaims } from './claim-view.ts'
import { listOwed, type OwedPart, termsOf } from './own-refunds.ts'
import { readAddress } from './read-address.ts'

export type WantedClaim = OwnerProof & {
  paymentTokenId: string
  chain: string
  address: string
  /** As they were shown, in decimals. */
  amount: string
  fee: string
}

/**
 * Claims what is listed as owed to the caller in one asset, and mails how to cancel the claim.
 * Refuses with `UnknownPaymentToken`, `InvalidInput`, `EmailNotVerified`, `WrongPassword`,
 * `WrongCode`, `Busy`, `TooManyRequests`, `RefundNotOwed`, `RefundClaimed`, `RefundChanged`,
 * `RefundTooSmall`.
 */
export async function claimRefund(services: Services, wanted: WantedClaim, caller: Caller) {
  const { database, limits } = services
  requireVerifiedEmail(services, caller)
  const code = await requireOwnerProof(services, wanted, caller)
  await limits.take('refund_claim_by_user', caller.userId)
  const { address } = await readAddress(services, wanted)
  const paymentToken = paymentTokenOf(services.sale, wanted.paymentTokenId)
  if (paymentToken === undefined) throw new Refusal('UnknownPaymentToken')
  // The network is asked for its fee before anything is locked.
  const seen = await listWantedParts(services, database, wanted, caller)
  const terms = requireTerms(wanted, paymentToken, await termsOf(services, paymentToken, seen))
  const id = services.random.id()
  await database.transaction().execute(async (transaction) => {
    // `settlements_due` before the user and the purchases: settling locks them in another order.
    await requestSettlements(transaction, idsOf(seen))
    await lockProvedOwner(services, transaction, caller, code)
    await lockPurchases(transaction, idsOf(seen))
    const parts = await listWantedParts(services, transaction, wanted, caller)
    if (!isSame(parts, seen)) throw new Refusal('RefundChanged')
    await insert(services, transaction, { id, address, parts, terms, caller })
  })
  await clearCodeTries(services, caller, code)
  await settleDue(services)
  return await viewOwn(services, id)
}

/** Cancels a claim that nobody has approved yet. Refuses with `NotFound`, `ClaimClosed`. */
export async function cancelClaim(services: Services, id: string, { userId }: Caller) {
  const own = isId(id) ? await findClaim(services.database, id) : null
  if (own === null || own.user_id !== userId) throw new Refusal('NotFound')
  await services.database.transaction().execute(async (transaction) => {
    const [claim] = await lockClaims(transaction, [id])
    if (claim === undefined) throw noSuchClaim()
    if (claim.state === 'cancelled') return
    if (claim.state !== 'claimed') {
      throw new Refusal('ClaimClosed', { message: 'This claim cannot be cancelled any more' })
    }
    const now = services.clock.now()
    await closeClaim(transaction, id, { state: 'cancelled', closed_at: now })
    await mailAboutClaim(transaction, claim, 'refund_claim_cancelled', now)
    await notifyOfClaim(transaction, claim)
  })
  return await viewOwn(services, id)
}

export function noSuchClaim(): Refusal {
  return new Refusal('NotFound', { message: 'There is no claim with this id' })
}

/** Mails the buyer about a claim, once for each kind. */
export async function mailAboutClaim(
  transaction: DatabaseTransaction,
  { id, user_id: userId }: ClaimRow,
  kind: MailKind,
  at: Date,
): Promise<void> {
  const params = { claim_id: id }
  await enqueueMail(transaction, { userId, kind, params, uniqueKey: mailKey(kind, id), at })
}

/** Updates the buyer's pages about a claim, through the purchases that it covers. */
export async function notifyOfClaim(
  transaction: DatabaseTransaction,
  { id, user_id: userId }: ClaimRow,
): Promise<void> {
  const ids = idsOf(await listPartsOf(transaction, id))
  const changes = ids.map((transactionId): LiveChange => ({
    kind: 'purchase',
    userId,
    transactionId,
  }))
  await notifyLive(transaction, changes)
}

/** The purchases of some parts, each once, in the order in which they are locked. */
export function idsOf(parts: readonly { purchase_id: string }[]): string[] {
  return [...new Set(parts.map(({ purchase_id }) => purchase_id))].toSorted()
}

async function viewOwn(services: Services, id: string): Promise<ClaimView> {
  const claim = await findClaim(services.database, id)
  const [view] = await viewClaims(services, services.database, claim === null ? [] : [claim])
  if (view === undefined) throw noSuchClaim()
  return view
}

/** What can be claimed in the wanted asset. Refuses with `RefundNotOwed`, `RefundClaimed`. */
async function listWantedParts(
  services: Services,
  database: Services['database'],
  { paymentTokenId, chain }: WantedClaim,
  { userId }: Caller,
): Promise<OwedPart[]> {
  const isWanted = (each: { payment_token_id: string | null; chain: string }) =>
    each.payment_token_id === paymentTokenId && each.chain === chain
  const owed = (await listOwed(services, database, userId)).filter(isWanted)
  const parts = owed.filter(({ whyNot }) => whyNot === null)
  if (parts.length > 0) return parts
  if (owed.some(({ whyNot }) => whyNot === 'being_sent')) {
    throw new Refusal('RefundClaimed', {
      message: 'This was marked as sent to you, which a second person has to confirm',
    })
  }
  const active: readonly string[] = activeClaimStates
  const claims = await listClaimsOf(database, userId, 0)
  const isClaimed = claims.some((claim) => isWanted(claim) && active.includes(claim.state))
  if (isClaimed) {
    throw new Refusal('RefundClaimed', {
      message: 'You have already claimed this. Cancel that claim to claim again',
    })
  }
  throw new Refusal('RefundNotOwed', { message: 'Nothing is owed back to you in this coin' })
}

/** Refuses terms that differ from those shown. */
function requireTerms(
  wanted: WantedClaim,
  { decimals, symbol }: PaymentToken,
  terms: ClaimTerms,
): ClaimTerms {
  if (parseDecimal(wanted.amount, decimals) !== terms.amount) {
    const owed = formatGrouped(terms.amount, decimals)
    throw new Refusal('RefundChanged', {
      message: `You are now owed ${owed} ${symbol}. Check the new amount`,
    })
  }
  if (terms.amount < terms.minimum) throw new Refusal('RefundTooSmall')
  const shown = parseDecimal(wanted.fee, decimals)
  const fee = shown === null ? null : agreedFee(shown as ClaimTerms['fee'], terms.fee)
  if (fee === null) {
    const cost = formatGrouped(terms.fee, decimals)
    throw new Refusal('RefundChanged', {
      message: `The network fee is now ${cost} ${symbol}. Check the new amount`,
    })
  }
  return { ...terms, fee }
}

function isSame(parts: readonly OwedPart[], seen: readonly OwedPart[]): boolean {
  const key = (each: OwedPart) => `${each.receipt_id} ${each.amount} ${each.why}`
  return parts.map(key).join() === seen.map(key).join()
}

async function insert(
  services: Services,
  transaction: DatabaseTransaction,
  claimed: {
    id: string
    address: string
    parts: readonly OwedPart[]
    terms: ClaimTerms
    caller: Caller
  },
): Promise<void> {
  const { id, address, parts, terms, caller } = claimed
  const [first] = parts
  if (first === undefined || first.payment_token_id === null) throw new Refusal('RefundNotOwed')
  const now = services.clock.now()
  const isInserted = await insertClaim(
    transaction,
    {
      id,
      user_id: caller.userId,
      rail: first.rail,
      chain: first.chain,
      payment_token_id: first.payment_token_id,
      address,
      amount: terms.amount,
      fee: terms.fee,
      claimed_at: now,
      approvable_at: approvableAt(now, now),
    },
    shareFee(parts, terms.fee).map((part) => ({
      receipt_id: part.receipt_id,
      purchase_id: part.purchase_id,
      amount: part.amount,
      fee: part.fee,
      why: part.why,
      owed_since: part.since,
    })),
  )
  if (!isInserted) throw new Refusal('RefundClaimed')
  const claim = await findClaim(transaction, id)
  if (claim === null) throw noSuchClaim()
  await mailAboutClaim(transaction, claim, 'refund_claimed', now)
  await notifyOfClaim(transaction, claim)
}
