import { sql } from 'kysely'

import type { Database, Row } from '#server/database/tables/tables.ts'
import type { UserRow } from './users.ts'

/** A user with what operators see about them in a list. */
export type PersonRow = UserRow & {
  has_two_factor: boolean
  purchases: number
  credited_usd: bigint
}

export type PersonSearch = {
  /** In its normalised form. */
  email: string | null
  id: string | null
}

/** Where a page begins, inclusive. */
export type PersonPlace = { createdAt: Date; id: string }

/** Users who were not erased, newest first, from one on, inclusive. */
export async function searchPeople(
  database: Database,
  { email, id }: PersonSearch,
  start: PersonPlace | null,
  countMax: number,
): Promise<PersonRow[]> {
  let query = database
    .selectFrom('users')
    .selectAll()
    .select([hasTwoFactor, purchases, creditedUsd])
    .where('erased_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(countMax)
  if (email !== null) query = query.where('email', '=', email)
  if (id !== null) query = query.where('id', '=', id)
  if (start !== null) {
    query = query.where(sql<boolean>`(created_at, id) <= (${start.createdAt}, ${start.id}::uuid)`)
  }
  return await query.execute()
}

/** A user as in the list, including erased ones. */
export async function findPerson(database: Database, userId: string): Promise<PersonRow | null> {
  const row = await database
    .selectFrom('users')
    .selectAll()
    .select([hasTwoFactor, purchases, creditedUsd])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

const hasTwoFactor = sql<boolean>`exists (
  select from two_factors where account_id = users.id and confirmed_at is not null
)`.as('has_two_factor')

const purchases = sql<number>`(
  select count(*)::integer from purchases where user_id = users.id
)`.as('purchases')

const creditedUsd = sql<bigint>`(
  select coalesce(sum(credited_usd), 0) from purchases
  where user_id = users.id and status = 'completed'
)`.as('credited_usd')

export type ReferredRow = Pick<
  Row<'users'>,
  'id' | 'email' | 'first_name' | 'last_name' | 'created_at'
> & { tokens: bigint | null; status: 'completed' | 'failed' | null }

/** Whom a user referred, with what that earned, newest first. */
export async function listReferred(
  database: Database,
  referrerId: string,
  countMax: number,
): Promise<ReferredRow[]> {
  return await database
    .selectFrom('users')
    .leftJoin('rewards', 'rewards.referee_id', 'users.id')
    .select(['users.id', 'email', 'first_name', 'last_name', 'users.created_at'])
    .select(['rewards.tokens', 'rewards.status'])
    .where('users.referrer_id', '=', referrerId)
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id')
    .limit(countMax)
    .execute()
}
