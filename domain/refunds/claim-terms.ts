import { add, type CryptoAmount, cryptoAmount, greatest, least, subtract } from '#domain/money.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'

/** What is owed of one receipt. */
export type OwedPart = Pick<RefundDue, 'receiptId' | 'amount' | 'why'>

/** How much a claim is about, what of it the network takes, and how much it takes to claim. */
export type ClaimTerms = { amount: CryptoAmount; fee: CryptoAmount; minimum: CryptoAmount }

/** Where whoever paid has erred, they pay what sending it back costs. */
const PAYERS_ERRORS: ReadonlySet<string> = new Set<RefundDue['why']>([
  'overpaid',
  'underpaid',
  'late',
  'wrong_asset',
])

/** A network is never paid more than this part of what is claimed: the sale pays what is above. */
const FEE_SHARE = 10n
/** Less than so many fees are not worth sending. */
const FEES_MIN = 2n

/**
 * The terms of claiming all of `parts` by one transfer. The sale pays for it where any of them is
 * owed by an error of the sale, since it has to send that anyway.
 * @param networkFee What a transfer costs now; null if nobody knows, and the sale pays it.
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
 * The fee that is taken where a buyer has agreed to `shown`: fees move all the time, and nobody
 * pays more than they saw. Null if it has grown by more than a quarter since.
 */
export function agreedFee(shown: CryptoAmount, now: CryptoAmount): CryptoAmount | null {
  if (shown * 5n < now * 4n) return null
  return least(shown, now)
}

/** What each part bears of the fee, in their order: as much of it as there is. */
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
