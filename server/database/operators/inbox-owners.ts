import { sql } from 'kysely'
import type { InboxKind } from '#domain/operators/inbox.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type InboxOwner = { kind: string; item_id: string; id: string; name: string; since: Date }

/** Who has taken which of these kinds. */
export async function listInboxOwners(
  database: Database,
  kinds: readonly InboxKind[],
): Promise<InboxOwner[]> {
  return await database
    .selectFrom('inbox_owners')
    .innerJoin('operators', 'operators.id', 'inbox_owners.operator_id')
    .select(['kind', 'item_id', 'operators.id', 'operators.name', 'inbox_owners.since'])
    .where('inbox_owners.kind', 'in', kinds)
    .where('operators.removed_at', 'is', null)
    .execute()
}

export type FormerOwner = { operator_id: string; since: Date }

/** Who was last made the owner of an item, even if it has ended and come again since. */
export async function findInboxOwner(
  database: Database,
  { kind, itemId }: { kind: InboxKind; itemId: string },
): Promise<FormerOwner | null> {
  const row = await database
    .selectFrom('inbox_owners')
    .select(['operator_id', 'since'])
    .where('kind', '=', kind)
    .where('item_id', '=', itemId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Makes a person the owner of an item; null takes it from everybody. False if it is no longer
 * `former` who was last made its owner; left out, it may have been anybody.
 */
export async function saveInboxOwner(
  transaction: DatabaseTransaction,
  { kind, itemId }: { kind: InboxKind; itemId: string },
  owner: { operatorId: string; since: Date } | null,
  former: FormerOwner | null | undefined,
): Promise<boolean> {
  const isFormer =
    former === undefined
      ? sql<boolean>`true`
      : former === null
        ? sql<boolean>`false`
        : sql<boolean>`inbox_owners.operator_id = ${former.operator_id}
            and inbox_owners.since = ${former.since}`
  if (owner === null) {
    const { numDeletedRows } = await transaction
      .deleteFrom('inbox_owners')
      .where('kind', '=', kind)
      .where('item_id', '=', itemId)
      .where(isFormer)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n || !former
  }
  const taken = { operator_id: owner.operatorId, since: owner.since }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('inbox_owners')
    .values({ kind, item_id: itemId, ...taken })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'item_id']).doUpdateSet(taken).where(isFormer),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
