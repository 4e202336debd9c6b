import type { Transaction as WireTransaction } from '#contract/shapes.ts'
import { formatDecimal, toWireNumber } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { gatewayCoinOf } from '#domain/settlement/ledger.ts'
import type { Services } from '#server/services.ts'
import type {
  PurchaseView,
  RefundView,
  RewardView,
  TransactionView,
} from '#server/use-cases/purchases/transaction-view.ts'
import { presentPaymentToken } from './present-sale.ts'
import {
  assetToWire,
  bonusTokensToWire,
  instantToWire,
  rowToWire,
  orNull,
  priceToWire,
  tokensToWire,
  usdToWire,
} from '#contract/codec.ts'

type WireRefund = WireTransaction['refunds'][number]

export function presentTransaction(view: TransactionView, { sale }: Services): WireTransaction {
  return view.type === 'purchase'
    ? presentPurchase(view, sale)
    : presentReward(view, sale.project.decimals)
}

function presentPurchase(view: PurchaseView, sale: Sale): WireTransaction {
  const { paymentToken } = view
  const cryptoToWire = (amount: bigint) => toWireNumber(amount, paymentToken.decimals)
  return {
    ...rowToWire(view),
    ...presentShared(view, sale.project.decimals),
    payment_token: presentPaymentToken(paymentToken),
    payment_address: view.address,
    initial_purchase_amount_crypto: cryptoToWire(view.initialCrypto),
    initial_purchase_amount_fiat: usdToWire(view.initialUsd),
    actual_purchase_amount_crypto: orNull(view.actualCrypto, cryptoToWire),
    actual_purchase_amount_fiat: orNull(view.actualUsd, usdToWire),
    payment_amount: formatDecimal(view.due, paymentToken.decimals),
    receipts: view.receipts.map((receipt) => ({
      ...rowToWire(receipt),
      amount: formatDecimal(receipt.amount, paymentToken.decimals),
    })),
    refunds: view.refunds.map((refund) => presentRefund(refund, sale)),
    withdrawable_until_date: orNull(view.withdrawableUntil, instantToWire),
    price_sources: [...view.priceSources],
  }
}

/** An asset that is no payment token of the sale has a name only if a gateway has read it. */
function presentRefund(refund: RefundView, sale: Sale): WireRefund {
  const { asset, amount, sent, why, paymentToken, paidBy, claim } = refund
  return {
    amount: assetToWire(sale, asset, amount),
    sent_amount: orNull(sent, (part) => assetToWire(sale, asset, part)),
    symbol: paymentToken?.symbol ?? gatewayCoinOf(asset)?.code.toUpperCase() ?? null,
    chain: paymentToken?.chain ?? null,
    status: paidBy === null ? 'due' : 'paid',
    why,
    is_claimable: paidBy === null && claim === null && paymentToken !== null,
    claim,
    transaction_hash: paidBy?.transactionHash ?? null,
    explorer_url: paidBy?.explorerUrl ?? null,
  }
}

function presentReward(view: RewardView, decimals: number): WireTransaction {
  return {
    ...rowToWire(view),
    ...presentShared(view, decimals),
    payment_token: null,
    payment_address: null,
    payment_id: null,
    initial_purchase_amount_crypto: null,
    initial_purchase_amount_fiat: null,
    actual_purchase_amount_crypto: null,
    actual_purchase_amount_fiat: null,
    expires_date: null,
    payment_amount: null,
    payment_uri: null,
    confirmations: 0,
    required_confirmations: 0,
    receipts: [],
    stage_id: null,
    refunds: [],
    terms_date: null,
    withdrawable_until_date: null,
    withdrawn_date: null,
    price_sources: [],
  }
}

function presentShared(view: TransactionView, decimals: number) {
  return {
    status_reason: view.reason,
    token_price: priceToWire(view.tokenPrice),
    tokens: {
      base: tokensToWire(view.tokens.base, decimals),
      bonuses: bonusTokensToWire(view.tokens.bonuses, decimals),
      total: tokensToWire(view.tokens.total, decimals),
    },
  }
}
