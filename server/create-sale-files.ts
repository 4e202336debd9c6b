import { dirname } from 'node:path'

import type { Sale } from '#domain/sale/sale.ts'
import type { BuiltRails } from './build-rails.ts'
import { type Config, listMissingForSale } from './config/config.ts'
import { readSaleText } from './sale-file/read-sale-file.ts'
import { listSaleWarnings } from './sale-warnings.ts'
import type { SaleFiles } from '#server/ports/sale-files.ts'

/**
 * Reads sale files as this server would at a start, with its settings and from its own file's
 * folder.
 */
export function createSaleFiles(
  config: Config,
  railsOf: (sale: Sale) => Promise<BuiltRails>,
): SaleFiles {
  return {
    read: (text, firstAppliedAt) =>
      readSaleText(text, { folder: dirname(config.saleFile), firstAppliedAt }),
    listMissing: (sale) =>
      listMissingForSale(config, sale).map((fault) => `${fault}. Set it and start again`),
    listWarnings: (reading, changes, now) =>
      listSaleWarnings({ ...reading, changes, now, publicUrl: config.http.publicUrl }),
    buildRails: async (sale) => (await railsOf(sale)).rails,
  }
}
