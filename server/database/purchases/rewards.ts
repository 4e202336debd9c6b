import { type Price, type TokenAmount, tokenAmount, type Usd, usd } from '#domain/money.ts'
import type {
  Database,
  DatabaseTransaction,
  NamedStatements,
  Row,
} from '#server/database/tables/tables.ts'

/** What a referrer earned for a referred user, once. */
export type Reward = {
  id: string
  refereeId: string
  referrerId: string
  stageId: string
  tokenPrice: Price
  usd: Usd
  /** What the referred user had to spend to earn it. */
  spendUsd: Usd
  tokens: TokenAmount
  status: 'completed' | 'failed'
  /** Null as well where it was taken back for any other reason. */
  reason: 'reorged' | null
  createdAt: Date
  completedAt: Date
}

export function readReward(row: Row<'rewards'>): Reward {
  return {
    id: row.id,
    refereeId: row.referee_id,
    referrerId: row.referrer_id,
    stageId: row.stage_id,
    tokenPrice: row.token_price,
    usd: row.usd,
    spendUsd: row.spend_usd,
    tokens: row.tokens,
    status: row.status,
    reason: row.status_reason,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

export async function findReward(statements: NamedStatements, id: string): Promise<Reward | null> {
  const [row] = await statements.runNamed<Row<'rewards'>>(
    'reward',
    'select * from rewards where id = $1',
    [id],
  )
  return row === undefined ? null : readReward(row)
}

/** What a referrer has earned: the tokens of all rewards that were not taken back. */
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
  reward: Reward | null
}

/**
 * The referrals that brought these users, with what they have spent and what was earned by it. The
 * users' rows are locked, so that of two settlements of one user's purchases the later sees the
 * earlier.
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
  const rewardRows = await transaction
    .selectFrom('rewards')
    .selectAll()
    .where('referee_id', 'in', refereeIds)
    .execute()
  const rewards = rewardRows.map(readReward)
  const erased = await lockErased(
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
            reward: rewards.find((entry) => entry.refereeId === id) ?? null,
          },
        ],
  )
}

/**
 * Those of the users whose accounts were erased. No other is erased before the transaction ends. It
 * waits for an erasure that is under way, which by then waits for nothing that is locked here.
 */
async function lockErased(
  transaction: DatabaseTransaction,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction
    .selectFrom('users')
    .select(['id', 'erased_at'])
    .where('id', 'in', userIds)
    .orderBy('id')
    // A condition on the erasure would lock none of those who are not erased yet.
    .forKeyShare()
    .execute()
  return new Set(rows.flatMap(({ id, erased_at }) => (erased_at === null ? [] : id)))
}

export async function saveRewards(
  transaction: DatabaseTransaction,
  rewards: readonly Reward[],
): Promise<void> {
  if (rewards.length === 0) return
  await transaction
    .insertInto('rewards')
    .values(
      rewards.map((reward) => ({
        id: reward.id,
        referee_id: reward.refereeId,
        referrer_id: reward.referrerId,
        stage_id: reward.stageId,
        token_price: reward.tokenPrice,
        usd: reward.usd,
        spend_usd: reward.spendUsd,
        tokens: reward.tokens,
        status: reward.status,
        status_reason: reward.reason,
        created_at: reward.createdAt,
        completed_at: reward.completedAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('referee_id').doUpdateSet((excluded) => ({
        status: excluded.ref('excluded.status'),
        status_reason: excluded.ref('excluded.status_reason'),
      })),
    )
    .execute()
}
