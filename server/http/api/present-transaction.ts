import type { Transaction as WireTransaction } from '#contract/shapes.ts'
import { formatDecimal, toWireNumber } from '#domain/money.ts'
import type { Services } from '#server/services.ts'
import type {
  PurchaseView,
  RefundView,
  RewardView,
  TransactionView,
} from '#server/use-cases/purchases/transaction-view.ts'
import { presentPaymentToken } from './present-sale.ts'
import {
  bonusTokensToWire,
  instantToWire,
  rowToWire,
  orNull,
  priceToWire,
  tokensToWire,
  usdToWire,
} from '#contract/codec.ts'

type WireRefund = WireTransaction['refunds'][number]

export function presentTransaction(
  view: TransactionView,
  { sale }: Pick<Services, 'sale'>,
): WireTransaction {
  const { decimals } = sale.project
  return view.type === 'purchase' ? presentPurchase(view, decimals) : presentReward(view, decimals)
}

function presentPurchase(view: PurchaseView, decimals: number): WireTransaction {
  const { paymentToken } = view
  const cryptoToWire = (amount: bigint) => toWireNumber(amount, paymentToken.decimals)
  return {
    ...presentShared(view, decimals),
    payment_token: presentPaymentToken(paymentToken),
    payment_address: view.address,
    payment_id: view.paymentId,
    initial_purchase_amount_crypto: cryptoToWire(view.initialCrypto),
    initial_purchase_amount_fiat: usdToWire(view.initialUsd),
    actual_purchase_amount_crypto: orNull(view.actualCrypto, cryptoToWire),
    actual_purchase_amount_fiat: orNull(view.actualUsd, usdToWire),
    expires_date: instantToWire(view.expiresAt),
    payment_amount: formatDecimal(view.due, paymentToken.decimals),
    payment_uri: view.paymentUri,
    confirmations: view.confirmations,
    required_confirmations: view.requiredConfirmations,
    receipts: view.receipts.map((receipt) => ({
      ...rowToWire(receipt),
      amount: formatDecimal(receipt.amount, paymentToken.decimals),
    })),
    stage_id: view.stageId,
    refunds: view.refunds.map(presentRefund),
    terms_date: view.termsDate,
    withdrawable_until_date: orNull(view.withdrawableUntil, instantToWire),
    withdrawn_date: orNull(view.withdrawnAt, instantToWire),
    price_sources: [...view.priceSources],
  }
}

/** An asset that is not one of the sale's payment tokens has no known decimals. */
function presentRefund({ amount, paymentToken, paidBy, claim }: RefundView): WireRefund {
  return {
    amount: formatDecimal(amount, paymentToken?.decimals ?? 0),
    symbol: paymentToken?.symbol ?? null,
    chain: paymentToken?.chain ?? null,
    status: paidBy === null ? 'due' : 'paid',
    is_claimable: paidBy === null && claim === null && paymentToken !== null,
    claim,
    transaction_hash: paidBy?.transactionHash ?? null,
    explorer_url: paidBy?.explorerUrl ?? null,
  }
}

function presentReward(view: RewardView, decimals: number): WireTransaction {
  return {
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
    id: view.id,
    type: view.type,
    status: view.status,
    status_reason: view.reason,
    user_id: view.userId,
    created_date: instantToWire(view.createdAt),
    completed_date: orNull(view.completedAt, instantToWire),
    token_price: priceToWire(view.tokenPrice),
    tokens: {
      base: tokensToWire(view.tokens.base, decimals),
      bonuses: bonusTokensToWire(view.tokens.bonuses, decimals),
      total: tokensToWire(view.tokens.total, decimals),
    },
  }
}
