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

/**
 * Makes a person the owner of an item, whoever was it before; null takes it from everybody. False
 * if somebody was made its owner after `formerSince`.
 */
export async function saveInboxOwner(
  transaction: DatabaseTransaction,
  item: { kind: InboxKind; itemId: string },
  owner: { operatorId: string; since: Date; formerSince: Date } | null,
): Promise<boolean> {
  const { kind, itemId } = item
  if (owner === null) {
    await transaction
      .deleteFrom('inbox_owners')
      .where('kind', '=', kind)
      .where('item_id', '=', itemId)
      .execute()
    return true
  }
  const taken = { operator_id: owner.operatorId, since: owner.since }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('inbox_owners')
    .values({ kind, item_id: itemId, ...taken })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'item_id'])
        .doUpdateSet(taken)
        .where('inbox_owners.since', '<=', owner.formerSince),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
