import { findRow } from '#server/database/tables/rows.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type SaleFileRow = Row<'sale_files'>

/** The same without its text, which may be long. */
export type SaleFileEntry = Omit<SaleFileRow, 'text'>

export type NewSaleFile = Omit<SaleFileRow, 'id'>

/** Stores a file that this transaction applies; returns its id. */
export async function insertSaleFile(
  transaction: DatabaseTransaction,
  { changes, ...file }: NewSaleFile,
): Promise<bigint> {
  const { id } = await transaction
    .insertInto('sale_files')
    .values({ ...file, changes: JSON.stringify(changes) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Null if no file of this id was applied. */
export async function findSaleFile(database: Database, id: bigint) {
  return await findRow(database, 'sale_files', { id })
}

/** The hash of the file that was last applied from the disk; null if none was. */
export async function findLastHashFromDisk(database: Database): Promise<string | null> {
  const row = await database
    .selectFrom('sale_files')
    .select('sha256')
    .where('source', '=', 'disk')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.sha256 ?? null
}

export async function findAppliedFile(
  database: Database,
): Promise<{ file: SaleFileRow; firstAppliedAt: Date } | null> {
  const row = await database
    .selectFrom('sale')
    .innerJoin('sale_files', 'sale_files.id', 'sale.file_id')
    .selectAll('sale_files')
    .select('sale.first_applied_at')
    .executeTakeFirst()
  if (row === undefined) return null
  const { first_applied_at: firstAppliedAt, ...file } = row
  return { file, firstAppliedAt }
}

/** The newest first, from an id on, inclusive. */
export async function listSaleFileRows(
  database: Database,
  startId: bigint | null,
  countMax: number,
): Promise<SaleFileEntry[]> {
  let query = database
    .selectFrom('sale_files')
    .select(['id', 'sha256', 'source', 'applied_at', 'operator_id', 'operator', 'changes'])
    .orderBy('id', 'desc')
    .limit(countMax)
  if (startId !== null) query = query.where('id', '<=', startId)
  return await query.execute()
}
