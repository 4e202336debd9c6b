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
import { recordReading } from '#server/use-cases/audit/record-action.ts'

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
  await recordReading(services, operator, { act: 'exportPurchases', details })
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
  await recordReading(services, operator, { act: 'exportRefunds' })
  return readExportedRefunds(services.database)
}

/** Every transfer that reached a purchase's address. */
export async function exportReceipts(
  services: Services,
  operator: Operator,
): Promise<ReceiptBatches> {
  await recordReading(services, operator, { act: 'exportReceipts' })
  return readExportedReceipts(services.database)
}

/** Every transfer of the ledger. */
export async function exportLedger(services: Services, operator: Operator): Promise<LedgerBatches> {
  await recordReading(services, operator, { act: 'exportLedger' })
  return readExportedLedger(services.database)
}
