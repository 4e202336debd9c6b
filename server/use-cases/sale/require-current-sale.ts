import { findAppliedFileId } from '#server/database/sale/applied-sale.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** Another sale file has been applied than these services have. Follow it, and start again. */
export class SaleChanged extends Error {
  override readonly name = 'SaleChanged'

  constructor() {
    super('Another sale file was applied meanwhile')
  }
}

/** Whether the services' sale is still the applied one. */
export async function hasCurrentSale(
  { saleFileId }: Pick<Services, 'saleFileId'>,
  database: Database,
): Promise<boolean> {
  return (await findAppliedFileId(database)) === saleFileId
}

/** Throws {@link SaleChanged} if the services' sale is no longer the applied one. */
export async function requireCurrentSale(
  services: Services,
  transaction: DatabaseTransaction,
): Promise<void> {
  if (!(await hasCurrentSale(services, transaction))) throw new SaleChanged()
}
