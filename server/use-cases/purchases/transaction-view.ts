import { type BonusTokens, bonusTokens, sumBonuses } from '#domain/sale/bonus.ts'
import { paymentUri } from '#domain/chains/chain.ts'
import { invariant } from '#domain/invariant.ts'
import {
  add,
  type CryptoAmount,
  type Price,
  type TokenAmount,
  tokenAmount,
  unitsForUsd,
  type Usd,
} from '#domain/money.ts'
import type { PurchaseStatus, StatusReason } from '#domain/settlement/purchase.ts'
import { type PaymentToken, paymentTokenOf } from '#domain/sale/sale.ts'
import type { PurchaseRow } from '#server/database/purchases/purchases.ts'
import type { RewardRow } from '#server/database/purchases/rewards.ts'
import { readBonusTokens, readLockedBonuses } from '#server/database/purchases/stored-bonuses.ts'
import {
  findTransactionRow,
  type SettledReceipt,
  type TransactionRow,
} from '#server/database/purchases/transaction-pages.ts'
import type { Services } from '#server/services.ts'

/** What the wire calls a transaction, with everything that is shown of it. */
export type TransactionView = PurchaseView | RewardView

type TokensView = { base: TokenAmount; bonuses: BonusTokens; total: TokenAmount }

export type PurchaseView = {
  type: 'purchase'
  id: string
  userId: string
  status: PurchaseStatus
  reason: StatusReason | null
  paymentToken: PaymentToken
  address: string
  paymentId: string
  /** What was asked for. */
  initialUsd: Usd
  initialCrypto: CryptoAmount
  /** What was credited; null unless completed. */
  actualUsd: Usd | null
  actualCrypto: CryptoAmount | null
  createdAt: Date
  expiresAt: Date
  completedAt: Date | null
  tokenPrice: Price
  /** What is credited, or would be if the purchase were paid as asked. */
  tokens: TokensView
  /** What is still to be sent. */
  due: CryptoAmount
  /** A link that pays what is still due; null where nothing is. */
  paymentUri: string | null
  confirmations: number
  requiredConfirmations: number
  /**
   * Those of the right asset that the chain still has, oldest first: as they were settled with, so
   * that none shows before what it does, and no more of them than can be credited, unless all were
   * asked for.
   */
  receipts: readonly ReceiptView[]
}

export type ReceiptView = {
  id: string
  amount: CryptoAmount
  confirmations: number
  seenAt: Date
  explorerUrl: string | null
}

export type RewardView = {
  type: 'referral'
  id: string
  userId: string
  status: RewardRow['status']
  reason: StatusReason | null
  /** What it was worth when it was earned. */
  usd: Usd
  createdAt: Date
  completedAt: Date | null
  tokenPrice: Price
  tokens: TokensView
}

/** A transaction of anybody; null where there is none. */
export async function findTransactionView(
  services: Services,
  id: string,
): Promise<TransactionView | null> {
  const row = await findTransactionRow(services.database, id)
  return row === null ? null : viewTransaction(services, row)
}

export function viewTransaction(
  services: Pick<Services, 'sale' | 'rails'>,
  entry: TransactionRow,
): TransactionView {
  return entry.type === 'purchase'
    ? viewPurchase(services, entry.row, entry.receipts)
    : viewReward(entry.row)
}

export function viewPurchase(
  services: Pick<Services, 'sale' | 'rails'>,
  row: PurchaseRow,
  receipts: readonly SettledReceipt[],
): PurchaseView {
  const paymentToken = paymentTokenOf(services.sale, row.payment_token_id)
  invariant(paymentToken !== undefined, 'A payment token that was paid in stays in the sale.')
  const isCredited = row.status === 'completed'
  const { address } = row
  return {
    type: 'purchase',
    id: row.id,
    userId: row.user_id,
    status: row.status,
    reason: row.status_reason,
    paymentToken,
    address,
    paymentId: row.payment_id,
    initialUsd: row.usd,
    initialCrypto: row.crypto_due,
    actualUsd: isCredited ? row.credited_usd : null,
    actualCrypto: isCredited ? row.credited_crypto : null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    tokenPrice: row.token_price,
    tokens: isCredited ? creditedTokens(row) : quotedTokens(row),
    due: row.due,
    paymentUri: row.due > 0n ? paymentUri({ paymentToken, address, amount: row.due }) : null,
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    receipts: receipts.map(({ transactionHash, ...receipt }) => ({
      ...receipt,
      explorerUrl: services.rails.get(row.rail)?.explorerUrl(row.chain, transactionHash) ?? null,
    })),
  }
}

function quotedTokens(row: PurchaseRow): TokensView {
  const base = tokenAmount(unitsForUsd(row.usd, row.token_price, row.token_decimals, 'down'))
  const bonuses = bonusTokens(readLockedBonuses(row.locked_bonuses), row.usd, base)
  return { base, bonuses, total: add(base, sumBonuses(bonuses)) }
}

function creditedTokens(row: PurchaseRow): TokensView {
  const bonuses = readBonusTokens(row.credited_bonuses)
  return { base: row.credited_base, bonuses, total: add(row.credited_base, sumBonuses(bonuses)) }
}

function viewReward(row: RewardRow): RewardView {
  const isEarned = row.status === 'completed'
  return {
    type: 'referral',
    id: row.id,
    userId: row.referrer_id,
    status: row.status,
    reason: isEarned ? null : 'reorged',
    usd: row.usd,
    createdAt: row.created_at,
    completedAt: isEarned ? row.completed_at : null,
    tokenPrice: row.token_price,
    tokens: { base: row.tokens, bonuses: {}, total: row.tokens },
  }
}
