import { findAppliedFileId } from '#server/database/sale/applied-sale.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** Another sale file was applied than the services have. Follow it, and begin anew. */
export class SaleChanged extends Error {
  override readonly name = 'SaleChanged'

  constructor() {
    super('Another sale file was applied meanwhile')
  }
}

/** Throws {@link SaleChanged} where the sale of the services is not the applied one any more. */
export async function requireCurrentSale(
  { saleFileId }: Pick<Services, 'saleFileId'>,
  transaction: DatabaseTransaction,
): Promise<void> {
  if ((await findAppliedFileId(transaction)) !== saleFileId) throw new SaleChanged()
}
