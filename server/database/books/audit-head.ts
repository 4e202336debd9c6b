import { sql } from 'kysely'

import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

/** The end of the chain of operators' acts: the number and the hash of the last one. */
export type AuditHead = Omit<Row<'audit_head'>, 'id'>

/** What the first act follows. */
const EMPTY: AuditHead = {
  number: 0n,
  hash: new Uint8Array(32),
  at: new Date(0),
  seal: new Uint8Array(0),
}

/** Locks the head until the transaction ends, so that acts have a definite order. */
export async function lockAuditHead(transaction: DatabaseTransaction): Promise<AuditHead> {
  return await transaction
    .insertInto('audit_head')
    .values(EMPTY)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: 1 }))
    .returning(['number', 'hash', 'at', 'seal'])
    .executeTakeFirstOrThrow()
}

export async function saveAuditHead(
  transaction: DatabaseTransaction,
  head: AuditHead,
): Promise<void> {
  await transaction.updateTable('audit_head').set(head).execute()
}

/** Null until somebody acts. */
export async function findAuditHead(database: Database): Promise<AuditHead | null> {
  const row = await database
    .selectFrom('audit_head')
    .select(['number', 'hash', 'at', 'seal'])
    .executeTakeFirst()
  return row ?? null
}

export type LogEnd = { head: AuditHead | null; lastId: bigint }

/** The head and the last row at one instant. */
export async function readLogEnd(database: Database): Promise<LogEnd> {
  const { rows } = await sql<AuditHead & { last_id: bigint; is_there: boolean }>`
    select number, hash, at, seal, number is not null as is_there, last_id
    from (select coalesce(max(id), 0) as last_id from operator_actions) as log
    left join audit_head on true`.execute(database)
  const [row] = rows
  if (row === undefined) return { head: null, lastId: 0n }
  const { last_id: lastId, is_there: isThere, ...head } = row
  return { head: isThere ? head : null, lastId }
}
