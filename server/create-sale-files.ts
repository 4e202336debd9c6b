import { dirname } from 'node:path'

import { isSandboxSale, type Sale } from '#domain/sale/sale.ts'
import type { BuiltRails } from './build-rails.ts'
import { type Config, listMissingForSale } from './config/config.ts'
import { readSaleText } from './sale-file/read-sale-file.ts'
import type { SaleFiles } from '#server/ports/sale-files.ts'

/**
 * Reads sale files as this server would at a start, with its settings and from its own file's
 * folder.
 */
export function createSaleFiles(
  config: Config,
  isSandbox: boolean,
  railsOf: (sale: Sale) => Promise<BuiltRails>,
): SaleFiles {
  return {
    read: (text, firstAppliedAt) =>
      readSaleText(text, { folder: dirname(config.saleFile), firstAppliedAt }),
    listMissing: (sale) => [
      ...(isSandboxSale(sale) === isSandbox ? [] : [otherKind(isSandbox)]),
      ...listMissingForSale(config, sale).map((fault) => `${fault}. Set it and start again`),
    ],
    buildRails: async (sale) => (await railsOf(sale)).rails,
  }
}

function otherKind(isSandbox: boolean): string {
  return isSandbox
    ? 'This server runs a sandbox, where nothing is paid for real: a sale with real ' +
        'payments needs a database of its own'
    : 'This sale takes real payments: a sandbox needs a database of its own'
}
