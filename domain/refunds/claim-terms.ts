import { add, type CryptoAmount, cryptoAmount, greatest, least, subtract } from '#domain/money.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'

export type OwedPart = Pick<RefundDue, 'receiptId' | 'amount' | 'why'>

/** The amount of a claim, the network's fee taken from it, and the minimum for a claim. */
export type ClaimTerms = { amount: CryptoAmount; fee: CryptoAmount; minimum: CryptoAmount }

/** If the payer made the error, they pay the cost of sending the money back. */
const PAYERS_ERRORS: ReadonlySet<string> = new Set<RefundDue['why']>([
  'overpaid',
  'underpaid',
  'late',
  'wrong_asset',
])

/** The payer bears at most this part of what is claimed as a fee: the sale pays the rest. */
const FEE_SHARE = 10n
/** Amounts below this many fees are not worth sending. */
const FEES_MIN = 2n

/**
 * For this long the buyer, who may not be the one who claimed, can cancel before anybody approves.
 */
const CANCELLABLE_MS = 24 * 60 * 60_000
/** A mail about a claim is late after this. */
const NOTICE_WITHIN_MS = 60 * 60_000

/** From when a claim can be approved: its day begins anew if its buyer was told of it late. */
export function approvableAt(claimedAt: Date, notifiedAt: Date): Date {
  const isLate = notifiedAt.getTime() - claimedAt.getTime() > NOTICE_WITHIN_MS
  return new Date((isLate ? notifiedAt : claimedAt).getTime() + CANCELLABLE_MS)
}

/**
 * The terms of claiming all of `parts` with one transfer. The sale pays for it if any of them is
 * owed because of the sale's own error, since it has to send that anyway.
 * @param networkFee What a transfer costs now; null if nobody knows, and then the sale pays it.
 */
export function claimTerms(
  parts: readonly OwedPart[],
  { networkFee, dust }: { networkFee: CryptoAmount | null; dust: CryptoAmount },
): ClaimTerms {
  const amount = add(cryptoAmount(0n), ...parts.map((part) => part.amount))
  const isPayers = parts.every(({ why }) => PAYERS_ERRORS.has(why))
  const cost = isPayers && networkFee !== null ? networkFee : cryptoAmount(0n)
  const fee = least(cost, cryptoAmount(amount / FEE_SHARE))
  // What arrives has to be more than dust.
  const minimum = greatest(add(dust, fee), cryptoAmount(FEES_MIN * cost), cryptoAmount(1n))
  return { amount, fee, minimum }
}

/**
 * The fee that is taken after a buyer has agreed to `shown`: fees change all the time, and nobody
 * pays more than they saw. Null if it has grown by more than a quarter since.
 */
export function agreedFee(shown: CryptoAmount, now: CryptoAmount): CryptoAmount | null {
  if (shown * 5n < now * 4n) return null
  return least(shown, now)
}

/** How much of the fee each part bears, in order: up to its whole amount. */
export function shareFee<Part extends { amount: CryptoAmount }>(
  parts: readonly Part[],
  fee: CryptoAmount,
): (Part & { fee: CryptoAmount })[] {
  let left = fee
  return parts.map((part) => {
    const share = least(part.amount, left)
    left = subtract(left, share)
    return { ...part, fee: share }
  })
}
