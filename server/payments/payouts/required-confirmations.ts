import { usd, usdForUnits, type Usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { Payout, PayoutRecord } from '#server/ports/payouts.ts'

/** A payout without a price waits for as many confirmations as the most valuable one. */
const DEAREST = usd(10n ** 18n)

/** The confirmations that a payout needs: those of a payment of the same value. */
export async function confirmationsOf(
  { paymentToken, amount }: Payout,
  record: PayoutRecord,
  requiredFor: (paymentToken: PaymentToken, value: Usd) => number,
): Promise<number> {
  const price = await record.priceOf(paymentToken.symbol)
  const { decimals } = paymentToken
  const value = price === null ? DEAREST : usdForUnits(amount, price, decimals, 'up')
  return requiredFor(paymentToken, value)
}
