import { cryptoAmount, greatest, type Usd, usdForUnits } from '#domain/money.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import type { ReceiptFact } from './facts.ts'

type Terms = Pick<PurchaseTerms, 'paymentTokenId' | 'cryptoPrice' | 'cryptoDecimals' | 'usd'>
type PaidIn = { paymentTokenId: string | null }

/**
 * What an amount is worth in dollars at its purchase's locked price, rounded up. Null if it came in
 * another asset, for which no price was locked.
 */
export function valueAtLockedPrice(
  { paymentTokenId, cryptoPrice, cryptoDecimals }: Terms,
  paid: PaidIn & { amount: bigint },
): Usd | null {
  if (paid.paymentTokenId !== paymentTokenId) return null
  return usdForUnits(paid.amount, cryptoPrice, cryptoDecimals, 'up')
}

/**
 * The most that a purchase may be worth: what was requested, or what came for it if that is more.
 */
export function valueOfPurchase(
  terms: Terms,
  receipts: readonly (PaidIn & Pick<ReceiptFact, 'amount' | 'state'>)[],
): Usd {
  const came = receipts
    .filter(
      ({ state, paymentTokenId }) => state !== 'gone' && paymentTokenId === terms.paymentTokenId,
    )
    .reduce((sum, { amount }) => sum + amount, 0n)
  const value = usdForUnits(cryptoAmount(came), terms.cryptoPrice, terms.cryptoDecimals, 'up')
  return greatest(terms.usd, value)
}
