import { usdForUnits, type Usd } from '#domain/money.ts'
import type { FoundPayout, Payout, PayoutRecord } from '#server/ports/payouts.ts'
import type { SeenTransfer } from './match-payouts.ts'

/** The confirmations that a payout needs: those of a payment of the same value. */
export async function confirmationsOf(
  { paymentToken, amount }: Payout,
  record: PayoutRecord,
  requiredFor: (value: Usd | null) => number,
): Promise<number> {
  const price = await record.priceOf(paymentToken.symbol)
  const { decimals } = paymentToken
  return requiredFor(price === null ? null : usdForUnits(amount, price, decimals, 'up'))
}

/** Matched payouts as they are reported, each with the confirmations that it needs. */
export async function foundOf(
  matches: readonly { payout: Payout; transfer: SeenTransfer }[],
  requiredOf: (payout: Payout) => Promise<number>,
): Promise<FoundPayout[]> {
  const found: FoundPayout[] = []
  for (const { payout, transfer } of matches) {
    const { transactionHash, index, confirmations } = transfer
    const requiredConfirmations = await requiredOf(payout)
    found.push({ id: payout.id, transactionHash, index, confirmations, requiredConfirmations })
  }
  return found
}
