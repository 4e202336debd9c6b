import { Refusal } from '#domain/refusal.ts'
import { type PaymentToken, paymentTokenOf, type Sale } from '#domain/sale/sale.ts'

/**
 * The payment token of an id, where something can be bought in it now. Refuses with
 * `UnknownPaymentToken` where the sale has none of that id, or has switched it off.
 */
export function requireAccepted(sale: Sale, id: string): PaymentToken {
  const paymentToken = paymentTokenOf(sale, id)
  if (paymentToken === undefined) throw new Refusal('UnknownPaymentToken')
  if (!paymentToken.isEnabled) {
    const message = `${paymentToken.name} is not accepted at the moment. Choose another payment token`
    throw new Refusal('UnknownPaymentToken', { message })
  }
  return paymentToken
}
