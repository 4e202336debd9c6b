import { NO_SALE_FILE } from '#server/database/sale/applied-sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Services } from '#server/services.ts'

/** Throws if this instance cannot serve: its database is away, or another version's by now. */
export async function requireReady({ database, saleFileId }: Services): Promise<void> {
  if (saleFileId === NO_SALE_FILE) throw new Unavailable('The database is of another version')
  await database.selectNoFrom(({ lit }) => lit(1).as('one')).execute()
}
