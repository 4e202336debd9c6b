import { assetToWire, rowToWire, orNull } from '#contract/codec.ts'
import type { OwedRefund as WireOwed, RefundClaim as WireClaim } from '#contract/refunds.ts'
import { formatDecimal } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { ClaimView } from '#server/use-cases/refunds/claim-view.ts'
import type { OwedRefund } from '#server/use-cases/refunds/own-refunds.ts'
import { presentPaymentToken } from './present-sale.ts'

export function presentOwedRefund(owed: OwedRefund, sale: Sale): WireOwed {
  const { paymentToken, asset, terms, whyNot, parts } = owed
  const text = (amount: bigint) => assetToWire(sale, asset, amount)
  return {
    ...rowToWire(owed),
    payment_token: orNull(paymentToken, presentPaymentToken),
    amount: text(terms.amount),
    fee: text(terms.fee),
    minimum: text(terms.minimum),
    is_claimable: whyNot === null,
    transactions: parts.map((part) => ({
      transaction_id: part.purchase_id,
      amount: text(part.amount),
      why: part.why,
    })),
  }
}

export function presentClaim({
  claim,
  paymentToken,
  pays,
  parts,
  explorerUrl,
}: ClaimView): WireClaim {
  const text = (amount: bigint) => formatDecimal(amount, paymentToken.decimals)
  return {
    ...rowToWire(claim),
    payment_token: presentPaymentToken(paymentToken),
    amount: text(claim.amount),
    fee: text(claim.fee),
    pays: text(pays),
    explorer_url: explorerUrl,
    transaction_ids: [...new Set(parts.map(({ purchase_id }) => purchase_id))],
  }
}
