import { invariant } from '#domain/invariant.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  findAppliedFile,
  findSaleFile,
  listSaleFileRows,
  type SaleFileEntry,
  type SaleFileRow,
} from '#server/database/sale/sale-files.ts'
import type { Services } from '#server/services.ts'

export async function getAppliedFile({ database }: Services): Promise<SaleFileRow> {
  const applied = await findAppliedFile(database)
  invariant(applied !== null, 'A server that runs has applied a sale file.')
  return applied.file
}

const ID = /^\d{1,18}$/

/** A sale file that was applied. Refuses with `NotFound`. */
export async function getSaleFile({ database }: Services, id: string): Promise<SaleFileRow> {
  const file = ID.test(id) ? await findSaleFile(database, BigInt(id)) : null
  if (file === null)
    throw new Refusal('NotFound', { message: 'No sale file with this id was applied' })
  return file
}

/** All files that were applied, newest first. `after` is the first of the next page. */
export async function listSaleFiles(
  { database }: Services,
  input: { after: bigint | null; limit: number },
): Promise<{ items: readonly SaleFileEntry[]; after: bigint | null }> {
  const rows = await listSaleFileRows(database, input.after, input.limit + 1)
  return { items: rows.slice(0, input.limit), after: rows[input.limit]?.id ?? null }
}
