import type { OperatorMark } from '#domain/settlement/facts.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type StoredMark = OperatorMark & { reason: string | null }

/** The marks of operators on a purchase, newest last. */
export async function listMarksOf(database: Database, purchaseId: string): Promise<StoredMark[]> {
  return await database
    .selectFrom('operator_marks')
    .select(['kind', 'at', 'reason'])
    .where('purchase_id', '=', purchaseId)
    .orderBy('id')
    .execute()
}

/** The caller has to request the purchase's settlement as well. */
export async function insertMark(
  transaction: DatabaseTransaction,
  purchaseId: string,
  { kind, at, reason }: StoredMark,
): Promise<void> {
  await transaction
    .insertInto('operator_marks')
    .values({ purchase_id: purchaseId, kind, at, reason })
    .execute()
}
