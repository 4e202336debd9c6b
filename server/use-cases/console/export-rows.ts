import { readAllocations } from '#server/database/books/allocations.ts'
import {
  type ExportedPurchase,
  type ExportSpan,
  readExportedLedger,
  readExportedPurchases,
  readExportedReceipts,
} from '#server/database/purchases/exported-rows.ts'
import { readExportedUnmatched } from '#server/database/operators/unmatched.ts'
import { readExportedRefunds } from '#server/database/settlement/exported-refunds.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { exporting, recordReading } from '#server/use-cases/audit/record-action.ts'

const DAY_MS = 86_400_000

/**
 * Purchases made from one day to another, both inclusive and in UTC. This is personal data, so
 * reading it is recorded.
 */
export async function exportPurchases(
  services: Services,
  { from, to }: { from: string | undefined; to: string | undefined },
  operator: Operator,
): Promise<AsyncGenerator<ExportedPurchase[]>> {
  const details = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  await recordReading(services, operator, { act: 'exportPurchases', details })
  const start = (day: string) => new Date(`${day}T00:00:00Z`)
  const span: ExportSpan = {
    from: from === undefined ? null : start(from),
    until: to === undefined ? null : new Date(start(to).getTime() + DAY_MS),
  }
  return readExportedPurchases(services.database, span)
}

export const exportRefunds = exporting('exportRefunds', readExportedRefunds)

/** Every transfer that reached a purchase's address. */
export const exportReceipts = exporting('exportReceipts', readExportedReceipts)

/** Every transfer that belongs to no purchase. */
export const exportUnmatched = exporting('exportUnmatched', readExportedUnmatched)

export const exportLedger = exporting('exportLedger', readExportedLedger)

/** Everybody who is owed tokens. */
export const listAllocations = exporting('listAllocations', readAllocations)
