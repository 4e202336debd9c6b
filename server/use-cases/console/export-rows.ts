import {
  type ExportedReceipt,
  type ExportedTransfer,
  type ExportSpan,
  readExportedLedger,
  readExportedPurchases,
  readExportedReceipts,
} from '#server/database/purchases/exported-rows.ts'
import type { FoundPurchase } from '#server/database/purchases/purchase-records.ts'
import { readExportedRefunds, type RefundRow } from '#server/database/settlement/refunds.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'

export type PurchaseBatches = AsyncGenerator<FoundPurchase[]>
export type RefundBatches = AsyncGenerator<RefundRow[]>
export type ReceiptBatches = AsyncGenerator<ExportedReceipt[]>
export type LedgerBatches = AsyncGenerator<ExportedTransfer[]>

const DAY_MS = 86_400_000

/**
 * Purchases made from one day to another, both inclusive and in UTC. This is personal data, so
 * reading it is recorded.
 */
export async function exportPurchases(
  services: Services,
  { from, to }: { from: string | undefined; to: string | undefined },
  operator: Operator,
): Promise<PurchaseBatches> {
  const details = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  await recordExport(services, operator, 'exportPurchases', details)
  const start = (day: string) => new Date(`${day}T00:00:00Z`)
  const span: ExportSpan = {
    from: from === undefined ? null : start(from),
    until: to === undefined ? null : new Date(start(to).getTime() + DAY_MS),
  }
  return readExportedPurchases(services.database, span)
}

/** Every refund, owed and paid. */
export async function exportRefunds(
  services: Services,
  operator: Operator,
): Promise<RefundBatches> {
  await recordExport(services, operator, 'exportRefunds')
  return readExportedRefunds(services.database)
}

/** Every transfer that reached a purchase's address. */
export async function exportReceipts(
  services: Services,
  operator: Operator,
): Promise<ReceiptBatches> {
  await recordExport(services, operator, 'exportReceipts')
  return readExportedReceipts(services.database)
}

/** Every transfer of the ledger. */
export async function exportLedger(services: Services, operator: Operator): Promise<LedgerBatches> {
  await recordExport(services, operator, 'exportLedger')
  return readExportedLedger(services.database)
}

async function recordExport(
  services: Services,
  operator: Operator,
  act: string,
  details: Record<string, string> = {},
): Promise<void> {
  await services.database
    .transaction()
    .execute((transaction) => recordAction(services, transaction, operator, { act, details }))
}
