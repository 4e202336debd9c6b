import { usdForUnits } from '#domain/money.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { Rail, SightedTransfer } from '#server/ports/rail.ts'

/**
 * How many confirmations a payment needs: those of its purchase, and no fewer than its own value at
 * the locked price asks for on the chain that it came on. Another asset has no locked price, so it
 * waits as long there as the dearest payment.
 */
export function requiredConfirmations(
  rail: Rail | undefined,
  { terms }: Purchase,
  { chain, paymentTokenId, amount }: { chain: string } & Paid,
): number {
  const { cryptoPrice, cryptoDecimals } = terms
  const isAgreed = paymentTokenId === terms.paymentTokenId
  const value = isAgreed ? usdForUnits(amount, cryptoPrice, cryptoDecimals, 'up') : null
  const own = rail?.requiredConfirmations(chain, value) ?? 0
  return Math.max(terms.requiredConfirmations, own)
}

type Paid = Pick<SightedTransfer, 'paymentTokenId' | 'amount'>
