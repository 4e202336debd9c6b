import { type BonusTokens, bonusTokens, sumBonuses } from '#domain/sale/bonus.ts'
import { paymentUri } from '#domain/chains/chain.ts'
import { invariant } from '#domain/invariant.ts'
import { add, type TokenAmount, tokenAmount, unitsForUsd } from '#domain/money.ts'
import { paymentTokenOf, type PurchaseTerms } from '#domain/sale/sale.ts'
import { lastToConfirm } from '#domain/settlement/assessment.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { Reward } from '#server/database/purchases/rewards.ts'
import {
  findStoredTransaction,
  type PurchaseMoney,
  type SettledReceipt,
  type StoredTransaction,
} from '#server/database/purchases/transaction-pages.ts'
import type { Services } from '#server/services.ts'

export type PurchaseView = ReturnType<typeof viewPurchase>
export type RefundView = PurchaseView['refunds'][number]
export type RewardView = ReturnType<typeof viewReward>

/** What the wire calls a transaction, with everything that is shown of it. */
export type TransactionView = PurchaseView | RewardView

/** Anybody's transaction; null if there is none. */
export async function findTransactionView(services: Services, id: string) {
  const found = await findStoredTransaction(services.statements, id)
  return found === null ? null : viewTransaction(services, found)
}

export function viewTransaction(services: Services, entry: StoredTransaction) {
  return entry.type === 'purchase'
    ? viewPurchase(services, entry.purchase, entry)
    : viewReward(entry.reward)
}

export function viewPurchase(
  services: Services,
  purchase: Purchase,
  { receipts, refunds }: PurchaseMoney,
) {
  const { terms, outcome, address } = purchase
  const paymentToken = paymentTokenOf(services.sale, terms.paymentTokenId)
  invariant(paymentToken !== undefined, 'A payment token that was paid in stays in the sale.')
  const { credited, due } = outcome
  const isCredited = outcome.status === 'completed'
  const rail = services.rails.get(purchase.rail)
  const counted = isCredited ? receipts.filter(isDeep) : receipts
  return {
    type: 'purchase' as const,
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
    // What was credited.
    actualUsd: isCredited ? credited.usd : null,
    actualCrypto: isCredited ? credited.crypto : null,
    createdAt: terms.createdAt,
    expiresAt: terms.expiresAt,
    completedAt: purchase.completedAt,
    tokenPrice: terms.tokenPrice,
    // What is credited, or would be if the purchase were paid as agreed.
    tokens: isCredited ? tokensView(credited.base, credited.bonuses) : quotedTokens(terms),
    // What is still to be sent, and a link for paying it.
    due,
    paymentUri: due > 0n ? paymentUri({ paymentToken, address, amount: due }) : null,
    confirmations: outcome.confirmations,
    // Of the same receipt as the confirmations: one that brought more may need more.
    requiredConfirmations:
      lastToConfirm(counted)?.requiredConfirmations ?? terms.requiredConfirmations,
    // Those of the right asset that are still on the chain, oldest first, as the last settlement
    // read them, so that they match the status. No more than can be credited, unless all were asked
    // for; and no more refunds, which are of all assets, longest owed first.
    receipts: receipts.map(({ transactionHash, ...receipt }) => ({
      ...receipt,
      transactionHash: rail?.hashOf(transactionHash) ?? null,
      explorerUrl: rail?.explorerUrl(purchase.chain, transactionHash) ?? null,
    })),
    refunds: refunds.map(({ paymentTokenId, asset, amount, sent, why, paidBy, claim }) => ({
      asset,
      amount,
      sent,
      why,
      claim,
      paymentToken: paymentTokenOf(services.sale, paymentTokenId) ?? null,
      paidBy: paidBy && {
        transactionHash: paidBy.transactionHash,
        explorerUrl: rail?.explorerUrl(paidBy.chain, paidBy.transactionHash) ?? null,
      },
    })),
  }
}

const isDeep = ({ confirmations, requiredConfirmations: required }: SettledReceipt) =>
  confirmations >= required

function quotedTokens({ usd, tokenPrice, tokenDecimals, lockedBonuses }: PurchaseTerms) {
  const base = tokenAmount(unitsForUsd(usd, tokenPrice, tokenDecimals, 'down'))
  return tokensView(base, bonusTokens(lockedBonuses, usd, base))
}

function tokensView(base: TokenAmount, bonuses: BonusTokens) {
  return { base, bonuses, total: add(base, sumBonuses(bonuses)) }
}

function viewReward(reward: Reward) {
  const isEarned = reward.status === 'completed'
  return {
    type: 'referral' as const,
    id: reward.id,
    userId: reward.referrerId,
    status: reward.status,
    reason: reward.reason,
    usd: reward.usd,
    createdAt: reward.createdAt,
    completedAt: isEarned ? reward.completedAt : null,
    tokenPrice: reward.tokenPrice,
    tokens: tokensView(reward.tokens, {}),
  }
}
