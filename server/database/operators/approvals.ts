import { type RawBuilder, sql } from 'kysely'

import { findRow } from '#server/database/tables/rows.ts'
import { type Permission, roleNames, roles } from '#domain/operators/permissions.ts'
import type { ApprovalState } from '#domain/operators/approval-states.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type ApprovalRow = Row<'approvals'>

type Decision = Pick<
  ApprovalRow,
  'id' | 'state' | 'decided_by' | 'decided_name' | 'decided_at' | 'reason'
>

/** What is asked for; it waits from now on. */
export type NewApproval = Omit<ApprovalRow, Exclude<keyof Decision, 'id'>>

/**
 * Keeps an act until a second person decides. Null if the same requester already has it waiting.
 */
export async function insertApproval(
  transaction: DatabaseTransaction,
  { input, ...approval }: NewApproval,
): Promise<ApprovalRow | null> {
  const row = await transaction
    .insertInto('approvals')
    .values({ ...approval, input: JSON.stringify(input) })
    .onConflict((conflict) =>
      conflict.columns(['hash', 'asked_by']).where('state', '=', 'waiting').doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** The same request that already waits. */
export async function findWaiting(
  database: Database,
  { hash, asked_by }: Pick<ApprovalRow, 'hash' | 'asked_by'>,
): Promise<ApprovalRow | null> {
  const row = await database
    .selectFrom('approvals')
    .selectAll()
    .where('hash', '=', hash)
    .where('asked_by', 'is not distinct from', asked_by)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return row ?? null
}

export async function findApproval(database: Database, id: string) {
  return await findRow(database, 'approvals', { id })
}

/** The same, locked until the transaction ends. */
export async function lockApproval(transaction: DatabaseTransaction, id: string) {
  return await findRow(transaction, 'approvals', { id }, 'for update')
}

/** Decides a waiting request; call it with the row locked. */
export async function decideApproval(
  transaction: DatabaseTransaction,
  { id, ...decision }: Decision,
): Promise<ApprovalRow> {
  return await transaction
    .updateTable('approvals')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The approval was used before: its act is done, and must not be done again. */
export class ApprovalUsed extends Error {
  override readonly name = 'ApprovalUsed'
}

/** Marks an act as done, in the transaction that does it. Throws {@link ApprovalUsed}. */
export async function consumeApproval(transaction: DatabaseTransaction, id: string): Promise<void> {
  if (!(await closeApproval(transaction, id, 'done', null))) {
    throw new ApprovalUsed('The approval was used before.')
  }
}

/** Closes an approved request. False if it is already closed. */
export async function closeApproval(
  database: Database,
  id: string,
  state: 'done' | 'failed',
  reason: string | null,
): Promise<boolean> {
  const closed = await database
    .updateTable('approvals')
    .set({ state, reason })
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .returning('id')
    .executeTakeFirst()
  return closed !== undefined
}

/** Where a page begins, inclusive. */
export type ApprovalPlace = { askedAt: Date; id: string }

/** Newest first; of some states, or of all. */
export async function listApprovalRows(
  database: Database,
  page: {
    states: readonly ApprovalState[] | null
    start: ApprovalPlace | null
    countMax: number
  },
): Promise<ApprovalRow[]> {
  const { states, start, countMax } = page
  let query = database
    .selectFrom('approvals')
    .selectAll()
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(countMax)
  if (states !== null) query = query.where('state', 'in', states)
  if (start !== null) {
    query = query.where(sql<boolean>`(asked_at, id) <= (${start.askedAt}, ${start.id}::uuid)`)
  }
  return await query.execute()
}

/** What was approved and is not done yet, oldest first. */
export async function listApproved(database: Database, countMax: number): Promise<ApprovalRow[]> {
  return await database
    .selectFrom('approvals')
    .selectAll()
    .where('state', '=', 'approved')
    .orderBy('asked_at')
    .limit(countMax)
    .execute()
}

/** Whether a request waits for a second person, or is approved and waits to be carried out. */
const isNotDone = (now: Date | RawBuilder<unknown>) => sql<boolean>`(
  asked.state in ('waiting', 'approved') and (asked.state = 'approved' or asked.expires_at > ${now})
)`

/** Whether such a request is there for an act; `isIts` says which `asked` are meant. */
export const isAsked = (
  act: string,
  isIts: RawBuilder<unknown>,
  now: RawBuilder<unknown>,
) => sql<boolean>`exists (
  select from approvals as asked
  where ${isNotDone(now)} and asked.act = ${sql.lit(act)} and ${isIts}
)`

/** Requests not done yet for any of these acts about any of these things, oldest first. */
export async function listWaitingAbout(
  database: Database,
  { acts, about, now }: { acts: readonly string[]; about: readonly string[]; now: Date },
): Promise<ApprovalRow[]> {
  if (about.length === 0) return []
  return await database
    .selectFrom('approvals as asked')
    .selectAll()
    .where(isNotDone(now))
    .where('act', 'in', acts)
    .where('about', 'in', about)
    .orderBy('asked_at')
    .execute()
}

/**
 * The newest request about each receipt of these purchases to mark it as paid, where it has ended
 * without being done.
 */
export async function listEndedMarks(
  database: Database,
  { purchaseIds, now }: { purchaseIds: readonly string[]; now: Date },
): Promise<ApprovalRow[]> {
  if (purchaseIds.length === 0) return []
  const newest = database
    .selectFrom('approvals')
    .selectAll()
    .distinctOn('about')
    .where('purchase_id', 'in', purchaseIds)
    .where('act', '=', 'payRefund')
    .orderBy('about')
    .orderBy('asked_at', 'desc')
  return await database
    .selectFrom(newest.as('asked'))
    .selectAll()
    .where('state', '<>', 'done')
    .where(sql<boolean>`not ${isNotDone(now)}`)
    .execute()
}

/** Requests not done yet for a batch with any of these claims, each with its claims. */
export async function listWaitingBatches(
  database: Database,
  { claimIds, now }: { claimIds: readonly string[]; now: Date },
): Promise<(ApprovalRow & { claimIds: readonly string[] })[]> {
  if (claimIds.length === 0) return []
  const claims = sql<string[]>`input -> 'claim_ids'`
  return await database
    .selectFrom('approvals as asked')
    .selectAll()
    .select(claims.as('claimIds'))
    .where(isNotDone(now))
    .where('act', '=', 'makeRefundBatch')
    .where(sql<boolean>`${claims} ?| ${claimIds}::text[]`)
    .orderBy('asked_at')
    .execute()
}

/** Requests that have waited too long. */
export async function listExpired(
  database: Database,
  now: Date,
  countMax: number,
): Promise<Pick<ApprovalRow, 'id' | 'act' | 'purchase_id'>[]> {
  return await database
    .selectFrom('approvals')
    .select(['id', 'act', 'purchase_id'])
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .limit(countMax)
    .execute()
}

/** The person who made a key; null if nobody is known to have. */
export async function findMakerOfKey(database: Database, keyId: string): Promise<string | null> {
  const row = await database
    .selectFrom('api_keys')
    .select('created_by')
    .where('id', '=', keyId)
    .executeTakeFirst()
  return row?.created_by ?? null
}

/** Whether anybody else was ever an operator; null asks whether anybody was. */
export async function hasOtherOperator(
  database: Database,
  personId: string | null,
): Promise<boolean> {
  let query = database.selectFrom('operators').select('id').limit(1)
  if (personId !== null) query = query.where('id', '<>', personId)
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * Whether the requester of an act, and whoever has approved it, are still there and may still do
 * it, and neither had their factors reset since: it may have been a thief. A key may do no more
 * than its maker; the server's token may always.
 */
export async function mayStillBeDone(
  database: Database,
  approval: ApprovalRow,
  now: Date,
): Promise<boolean> {
  const { asked_kind, asked_by, asked_person, asked_at, permission } = approval
  const { decided_by, decided_at } = approval
  const person = asked_kind === 'person' ? asked_by : asked_person
  if (person !== null && !(await isAllowed(database, person, permission, asked_at))) return false
  if (decided_by !== null && decided_at !== null) {
    if (!(await isAllowed(database, decided_by, permission, decided_at))) return false
  }
  if (asked_kind !== 'key') return true
  const key = await database
    .selectFrom('api_keys')
    .select(['permissions'])
    .where('id', '=', asked_by)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return key?.permissions.includes(permission) ?? false
}

async function isAllowed(
  database: Database,
  personId: string,
  permission: Permission,
  actedAt: Date,
): Promise<boolean> {
  const allowed = roleNames.filter((role) => roles[role].includes(permission))
  const person = await database
    .selectFrom('operators')
    .select('id')
    .where('id', '=', personId)
    .where('removed_at', 'is', null)
    .where('role', 'in', allowed)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          // Somebody who acts has been let in, so a later link to them is that of a reset. Nobody
          // acts between a reset and the use of its link but a call that was on its way.
          selectFrom('operator_invitations as link')
            .select('link.id')
            .where('link.operator_id', '=', personId)
            .where(({ or, and, eb }) =>
              or([
                eb('link.created_at', '>=', actedAt),
                and([
                  eb('link.withdrawn_at', 'is', null),
                  or([eb('link.accepted_at', 'is', null), eb('link.accepted_at', '>=', actedAt)]),
                ]),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  return person !== undefined
}
