import { sql } from 'kysely'

import { type RefundClaimState, refundClaimStates } from '#domain/refunds/claim-states.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { ClaimRow } from './claims.ts'

export type OwnedClaimRow = ClaimRow & { email: string }

const rowsOf = (database: Database) =>
  database
    .selectFrom('refund_claims')
    .innerJoin('users', 'users.id', 'refund_claims.user_id')
    .selectAll('refund_claims')
    .select('users.email')

/** Claims in a state or in any, oldest first. */
export async function listClaimRows(
  database: Database,
  page: {
    state: RefundClaimState | null
    start: { claimedAt: Date; id: string } | null
    countMax: number
  },
): Promise<OwnedClaimRow[]> {
  const { state, start, countMax } = page
  let query = rowsOf(database).orderBy('claimed_at').orderBy('refund_claims.id').limit(countMax)
  if (state !== null) query = query.where('state', '=', state)
  if (start !== null) {
    query = query.where(
      sql<boolean>`(claimed_at, refund_claims.id) >= (${start.claimedAt}, ${start.id}::uuid)`,
    )
  }
  return await query.execute()
}

export async function findClaimRow(database: Database, id: string): Promise<OwnedClaimRow | null> {
  const row = await rowsOf(database).where('refund_claims.id', '=', id).executeTakeFirst()
  return row ?? null
}

export type ClaimCounts = Record<RefundClaimState, number>

export async function countClaims(database: Database): Promise<ClaimCounts> {
  const rows = await database
    .selectFrom('refund_claims')
    .select(['state', sql<number>`count(*)::integer`.as('count')])
    .groupBy('state')
    .execute()
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  const entries = refundClaimStates.map((state) => [state, counts.get(state) ?? 0] as const)
  return Object.fromEntries(entries) as ClaimCounts
}

/** Claims with these ids, oldest first. */
export async function listClaimRowsOf(
  database: Database,
  ids: readonly string[],
): Promise<OwnedClaimRow[]> {
  if (ids.length === 0) return []
  return await rowsOf(database)
    .where('refund_claims.id', 'in', ids)
    .orderBy('claimed_at')
    .orderBy('refund_claims.id')
    .execute()
}
