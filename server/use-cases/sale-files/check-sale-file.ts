import { invariant } from '#domain/invariant.ts'
import { lockAppliedSale } from '#server/database/sale/applied-sale.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { planUnderLock, type PlannedSale, saleFileHash } from '#server/use-cases/sale/apply-sale.ts'

export type CheckedSaleFile = Awaited<ReturnType<typeof checkSaleFile>>

/**
 * Checks a sale file as applying it would, including everything that depends on what was sold so
 * far. It locks the sale for a few moments, and writes nothing.
 */
export async function checkSaleFile(services: Services, text: string) {
  return services.database.transaction().execute(async (transaction) => {
    const { plan, appliedId, warnings = [] } = await planSaleFile(services, transaction, text)
    return {
      hash: saleFileHash(text),
      appliedId,
      faults: plan.ok ? [] : plan.faults,
      changes: plan.ok ? plan.changes : [],
      warnings,
    }
  })
}

/**
 * Locks the sale against anybody who applies a file or sells, and compares a text with it. Missing
 * settings of this server count as faults too.
 */
export async function planSaleFile(
  { saleFiles, clock }: Services,
  transaction: DatabaseTransaction,
  text: string,
): Promise<{ plan: PlannedSale; appliedId: bigint; warnings?: readonly string[] }> {
  const now = clock.now()
  const applied = await lockAppliedSale(transaction, now)
  const { fileId: appliedId, firstAppliedAt } = applied
  invariant(appliedId !== null, 'A server that runs has applied a sale file.')
  const reading = saleFiles.read(text, firstAppliedAt)
  if (!reading.ok) return { plan: reading, appliedId }
  const missing = saleFiles.listMissing(reading.sale)
  if (missing.length > 0) {
    const path = 'payment_tokens'
    const place = reading.locate(path)
    return {
      plan: { ok: false, faults: missing.map((message) => ({ ...place, path, message })) },
      appliedId,
    }
  }
  const plan = await planUnderLock(transaction, applied, reading, now)
  if (!plan.ok) return { plan, appliedId }
  return { plan, appliedId, warnings: saleFiles.listWarnings(reading, plan.changes, now) }
}
