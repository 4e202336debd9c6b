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
import type { PurchaseStatus, StatusReason } from '#domain/settlement/outcome.ts'
import type { RefundClaimState } from '#domain/refunds/claim-states.ts'
import { type PaymentToken, paymentTokenOf, type PurchaseTerms } from '#domain/sale/sale.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { Reward } from '#server/database/purchases/rewards.ts'
import {
  findStoredTransaction,
  type PurchaseMoney,
  type StoredTransaction,
} from '#server/database/purchases/transaction-pages.ts'
import type { Services } from '#server/services.ts'

/** What the wire calls a transaction, with everything that is shown of it. */
export type TransactionView = PurchaseView | RewardView

type TokensView = { base: TokenAmount; bonuses: BonusTokens; total: TokenAmount }

export type PurchaseView = {
  type: 'purchase'
  id: string
  userId: string
  stageId: string
  /** The date of the version of the terms of service under which it was made. */
  termsDate: string
  /** Until when its buyer may withdraw from it, exclusive; null if they may not. */
  withdrawableUntil: Date | null
  /** When its buyer has withdrawn from it. */
  withdrawnAt: Date | null
  /** Which sources gave the locked price of the payment token. */
  priceSources: readonly string[]
  status: PurchaseStatus
  reason: StatusReason | null
  paymentToken: PaymentToken
  address: string
  paymentId: string
  initialUsd: Usd
  initialCrypto: CryptoAmount
  /** What was credited; null unless completed. */
  actualUsd: Usd | null
  actualCrypto: CryptoAmount | null
  createdAt: Date
  expiresAt: Date
  completedAt: Date | null
  tokenPrice: Price
  /** What is credited, or would be if the purchase were paid as agreed. */
  tokens: TokensView
  /** What is still to be sent. */
  due: CryptoAmount
  /** A link for paying what is still due; null if nothing is. */
  paymentUri: string | null
  confirmations: number
  requiredConfirmations: number
  /**
   * Receipts of the right asset that are still on the chain, oldest first, as the last settlement
   * read them, so that they match the status. No more than can be credited, unless all were asked
   * for.
   */
  receipts: readonly ReceiptView[]
  /** Of all assets, longest owed first; no more than the receipts. */
  refunds: readonly RefundView[]
}

export type ReceiptView = {
  id: string
  amount: CryptoAmount
  confirmations: number
  seenAt: Date
  /** As the chain has it; null if the rail does not know it. */
  transactionHash: string | null
  explorerUrl: string | null
}

export type RefundView = {
  /** What came; null if it is not one of the sale's payment tokens. */
  paymentToken: PaymentToken | null
  amount: CryptoAmount
  /** The transaction that paid it; null while it is owed. */
  paidBy: { transactionHash: string; explorerUrl: string | null } | null
  /** The claim that it is in, or by which it was paid. */
  claim: { id: string; state: RefundClaimState } | null
}

export type RewardView = {
  type: 'referral'
  id: string
  userId: string
  status: Reward['status']
  reason: StatusReason | null
  /** Its value when it was earned. */
  usd: Usd
  createdAt: Date
  completedAt: Date | null
  tokenPrice: Price
  tokens: TokensView
}

/** Anybody's transaction; null if there is none. */
export async function findTransactionView(
  services: Services,
  id: string,
): Promise<TransactionView | null> {
  const found = await findStoredTransaction(services.statements, id)
  return found === null ? null : viewTransaction(services, found)
}

export function viewTransaction(
  services: Pick<Services, 'sale' | 'rails'>,
  entry: StoredTransaction,
): TransactionView {
  return entry.type === 'purchase'
    ? viewPurchase(services, entry.purchase, entry)
    : viewReward(entry.reward)
}

export function viewPurchase(
  services: Pick<Services, 'sale' | 'rails'>,
  purchase: Purchase,
  { receipts, refunds }: PurchaseMoney,
): PurchaseView {
  const { terms, outcome, address } = purchase
  const paymentToken = paymentTokenOf(services.sale, terms.paymentTokenId)
  invariant(paymentToken !== undefined, 'A payment token that was paid in stays in the sale.')
  const { credited, due } = outcome
  const isCredited = outcome.status === 'completed'
  const rail = services.rails.get(purchase.rail)
  return {
    type: 'purchase',
    id: purchase.id,
    userId: purchase.userId,
    stageId: terms.stageId,
    termsDate: terms.termsDate,
    withdrawableUntil: terms.withdrawableUntil,
    withdrawnAt: purchase.reversal?.kind === 'withdrawn' ? purchase.reversal.at : null,
    priceSources: purchase.priceSources.map(({ feed }) => feed),
    status: outcome.status,
    reason: outcome.reason,
    paymentToken,
    address,
    paymentId: purchase.paymentId,
    initialUsd: terms.usd,
    initialCrypto: terms.cryptoDue,
    actualUsd: isCredited ? credited.usd : null,
    actualCrypto: isCredited ? credited.crypto : null,
    createdAt: terms.createdAt,
    expiresAt: terms.expiresAt,
    completedAt: purchase.completedAt,
    tokenPrice: terms.tokenPrice,
    tokens: isCredited ? tokensView(credited.base, credited.bonuses) : quotedTokens(terms),
    due,
    paymentUri: due > 0n ? paymentUri({ paymentToken, address, amount: due }) : null,
    confirmations: outcome.confirmations,
    requiredConfirmations: terms.requiredConfirmations,
    receipts: receipts.map(({ transactionHash, ...receipt }) => ({
      ...receipt,
      transactionHash: rail?.hashOf(transactionHash) ?? null,
      explorerUrl: rail?.explorerUrl(purchase.chain, transactionHash) ?? null,
    })),
    refunds: refunds.map(({ paymentTokenId, amount, paidBy, claim }) => ({
      amount,
      claim,
      paymentToken: paymentTokenOf(services.sale, paymentTokenId) ?? null,
      paidBy: paidBy && {
        transactionHash: paidBy.transactionHash,
        explorerUrl: rail?.explorerUrl(paidBy.chain, paidBy.transactionHash) ?? null,
      },
    })),
  }
}

function quotedTokens({ usd, tokenPrice, tokenDecimals, lockedBonuses }: PurchaseTerms) {
  const base = tokenAmount(unitsForUsd(usd, tokenPrice, tokenDecimals, 'down'))
  return tokensView(base, bonusTokens(lockedBonuses, usd, base))
}

function tokensView(base: TokenAmount, bonuses: BonusTokens): TokensView {
  return { base, bonuses, total: add(base, sumBonuses(bonuses)) }
}

function viewReward(reward: Reward): RewardView {
  const isEarned = reward.status === 'completed'
  return {
    type: 'referral',
    id: reward.id,
    userId: reward.referrerId,
    status: reward.status,
    reason: isEarned ? null : 'reorged',
    usd: reward.usd,
    createdAt: reward.createdAt,
    completedAt: isEarned ? reward.completedAt : null,
    tokenPrice: reward.tokenPrice,
    tokens: tokensView(reward.tokens, {}),
  }
}
