import type { Selectable } from 'kysely'
import { type TokenAmount, tokenAmount, type Usd, usd } from '#domain/money.ts'
import type { RewardsTable } from '#server/database/tables/sale-tables.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type RewardRow = Selectable<RewardsTable>

export async function findReward(database: Database, id: string): Promise<RewardRow | null> {
  const row = await database
    .selectFrom('rewards')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** What a referrer has earned: the tokens of all rewards that stand. */
export async function sumRewards(database: Database, referrerId: string): Promise<TokenAmount> {
  const { sum } = await database
    .selectFrom('rewards')
    .select(({ fn }) => fn.sum<bigint | null>('tokens').as('sum'))
    .where('referrer_id', '=', referrerId)
    .where('status', '=', 'completed')
    .executeTakeFirstOrThrow()
  return tokenAmount(sum ?? 0n)
}

export type Referral = {
  refereeId: string
  referrerId: string
  /** What was credited to all of the referred user's completed purchases. */
  completedUsd: Usd
  /** True once the referrer's account was erased: nobody could ever claim what it would earn. */
  isReferrerErased: boolean
  reward: RewardRow | null
}

/**
 * The referrals by which these users came, with what they have spent and earned for it. The users'
 * rows are locked, so that of two settlements of one user's purchases the later one sees the other.
 */
export async function lockReferrals(
  transaction: DatabaseTransaction,
  userIds: readonly string[],
): Promise<Referral[]> {
  const users = await transaction
    .selectFrom('users')
    .select(['id', 'referrer_id'])
    .where('id', 'in', userIds)
    .where('referrer_id', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (users.length === 0) return []
  const refereeIds = users.map(({ id }) => id)
  const sums = await transaction
    .selectFrom('purchases')
    .select(({ fn }) => ['user_id', fn.sum<bigint>('credited_usd').as('sum')])
    .where('user_id', 'in', refereeIds)
    .where('status', '=', 'completed')
    .groupBy('user_id')
    .execute()
  const rewards = await transaction
    .selectFrom('rewards')
    .selectAll()
    .where('referee_id', 'in', refereeIds)
    .execute()
  const erased = await listErased(
    transaction,
    users.flatMap(({ referrer_id }) => referrer_id ?? []),
  )
  return users.flatMap(({ id, referrer_id }) =>
    referrer_id === null
      ? []
      : [
          {
            refereeId: id,
            referrerId: referrer_id,
            isReferrerErased: erased.has(referrer_id),
            completedUsd: usd(sums.find((entry) => entry.user_id === id)?.sum ?? 0n),
            reward: rewards.find((entry) => entry.referee_id === id) ?? null,
          },
        ],
  )
}

async function listErased(
  transaction: DatabaseTransaction,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where('erased_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Writes a reward, or the new status of one that is there. */
export async function saveReward(transaction: DatabaseTransaction, row: RewardRow): Promise<void> {
  await transaction
    .insertInto('rewards')
    .values(row)
    .onConflict((conflict) => conflict.column('referee_id').doUpdateSet({ status: row.status }))
    .execute()
}
