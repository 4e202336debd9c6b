import { invariant } from '#domain/invariant.ts'
import { rewardTransfers } from '#domain/settlement/ledger.ts'
import type { LiveChange } from '#domain/live-change.ts'
import { referralReward } from '#domain/settlement/referral.ts'
import type { Stage, StageProgress } from '#domain/sale/sale.ts'
import { progressOf, stagePrice, stageStatuses } from '#domain/sale/stage.ts'
import { recordTransfers } from '#server/database/books/ledger.ts'
import { enqueueMails, type NewMail } from '#server/database/books/outbox.ts'
import {
  lockReferrals,
  type Referral,
  type Reward,
  saveRewards,
} from '#server/database/purchases/rewards.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { SettledPurchase } from '#server/database/settlement/save-settlements.ts'

/**
 * Rewards the referrers of users who have now spent enough, once for each such user, and takes a
 * reward back while the purchases that earned it are undone. An erased referrer earns nothing new.
 * Call it after the outcomes are written.
 */
export async function rewardReferrers(
  services: Services,
  transaction: DatabaseTransaction,
  settled: readonly SettledPurchase[],
  progress: ReadonlyMap<string, StageProgress>,
  now: Date,
): Promise<LiveChange[]> {
  const spenders = settled
    .filter(({ purchase, outcome }) => purchase.outcome.credited.usd !== outcome.credited.usd)
    .map(({ purchase }) => purchase.userId)
  if (spenders.length === 0) return []
  const referrals = await lockReferrals(transaction, [...new Set(spenders)])
  const stage = rewardingStage(services, progress, now)
  const reorged = new Set(settled.filter(isAnyMoneyUndone).map(({ purchase }) => purchase.userId))
  const rewards = referrals.flatMap((referral) => {
    const reward = settleReward(services, referral, stage, progress, now)
    if (reward === null) return []
    const isGone = reward.status === 'failed' && reorged.has(reward.refereeId)
    return [{ ...reward, reason: isGone ? ('reorged' as const) : null }]
  })

  await saveRewards(transaction, rewards)
  await recordTransfers(
    transaction,
    rewards.flatMap(({ id, referrerId: userId, status, tokens }) =>
      rewardTransfers(userId, status === 'completed' ? tokens : -tokens).map((transfer) => ({
        ...transfer,
        causeId: id,
        userId,
      })),
    ),
    now,
  )
  const former = new Set(referrals.map(({ reward }) => reward?.id))
  await enqueueMails(
    transaction,
    rewards.map((reward) => mailAbout(reward, now, { isAgain: former.has(reward.id) })),
  )
  return rewards.map((reward) => ({
    kind: 'purchase',
    userId: reward.referrerId,
    transactionId: reward.id,
  }))
}

/** Whether a chain has taken back a payment that had counted; it mostly waits in a block again. */
function isAnyMoneyUndone({ receipts }: SettledPurchase): boolean {
  return receipts.some(({ state, booked }) => state !== 'confirmed' && booked > 0n)
}

/** A reward may come and go again: the instant identifies the event. */
function mailAbout(
  { id, referrerId, status }: Reward,
  at: Date,
  { isAgain }: { isAgain: boolean },
): NewMail {
  const kind = status === 'completed' ? 'referral_rewarded' : 'referral_reward_reversed'
  return {
    userId: referrerId,
    kind,
    params: { reward_id: id, ...(isAgain && status === 'completed' && { again: 'true' }) },
    uniqueKey: `${kind}:${id}:${at.toISOString()}`,
    at,
  }
}

/** The reward as it should be from now on; null if nothing about it changes. */
function settleReward(
  services: Services,
  { refereeId, referrerId, completedUsd, isReferrerErased, reward }: Referral,
  stage: Stage,
  progress: ReadonlyMap<string, StageProgress>,
  now: Date,
): Reward | null {
  if (reward !== null) {
    const isEarned = completedUsd > 0n && completedUsd >= reward.spendUsd
    const status = isEarned ? 'completed' : 'failed'
    return reward.status === status ? null : { ...reward, status }
  }
  // A reward from before the erasure stays in the books and still follows its purchases.
  if (isReferrerErased) return null
  const terms = stage.bonuses.referrals
  const tokenPrice = stagePrice(stage, progressOf(progress, stage).sold)
  const { tokenDecimals } = stage
  const earned = referralReward({ completedUsd, terms, tokenPrice, tokenDecimals })
  if (earned === null) return null
  return {
    id: services.random.id(),
    refereeId,
    referrerId,
    stageId: stage.id,
    tokenPrice,
    usd: terms.earn,
    spendUsd: terms.spend,
    tokens: earned.tokens,
    status: 'completed',
    reason: null,
    createdAt: now,
    completedAt: now,
  }
}

/** The stage on sale, or the last one that was, if nothing is on sale when the payment counts. */
function rewardingStage(
  { sale }: Services,
  progress: ReadonlyMap<string, StageProgress>,
  now: Date,
): Stage {
  const statuses = stageStatuses(sale, progress, null, now)
  const found =
    statuses.find(({ status }) => status === 'active') ??
    statuses.findLast(({ status }) => status === 'ended')
  const stage = found?.stage ?? sale.stages[0]
  invariant(stage !== undefined, 'A sale has at least one stage.')
  return stage
}
