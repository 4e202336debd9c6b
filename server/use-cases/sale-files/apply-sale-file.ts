import { invariant } from '#domain/invariant.ts'
import { Refusal } from '#domain/refusal.ts'
import { changeText } from '#domain/sale/changes/sale-changes.ts'
import { hasSameRails } from '#domain/sale/sale.ts'
import type { SaleFileFault } from '#domain/sale/sale-reading.ts'
import {
  findAppliedFile,
  findSaleFile,
  type SaleFileRow,
} from '#server/database/sale/sale-files.ts'
import { endLeaseAt } from '#server/database/connection/leases.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWaitByAnyRules,
  requireApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { saleFileHash, writeSale } from '#server/use-cases/sale/apply-sale.ts'
import { PRICES_LEASE, refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { planSaleFile } from './check-sale-file.ts'

export type SaleFileToApply = {
  text: string
  /** Of the text, from the reply to the check. */
  hash: string
  /** The sale file that was applied then, from the reply to the check. */
  appliedId: bigint
}

/**
 * Applies a sale file while the server runs. One transaction locks the sale, compares the file with
 * the applied one, and writes it together with the act. Every instance follows once that is
 * committed; from then on nothing is booked by the old file. A file that changes money or links
 * waits for a second person if the applied file says so: throws `WaitsForApproval`. Refuses with
 * `SaleFileChanged` if the text or the applied file is not the one that was checked, and with
 * `SaleFileFaulty`, listing each fault by its line.
 */
export async function applySaleFile(
  services: Services,
  { text, hash, appliedId }: SaleFileToApply,
  operator: Operator,
): Promise<SaleFileRow> {
  if (saleFileHash(text) !== hash) throw new Refusal('SaleFileChanged')
  await requireRails(services, text)
  const fileId = await actOrWaitByAnyRules(services, async (transaction) => {
    const { plan, appliedId: current } = await planSaleFile(services, transaction, text)
    if (current !== appliedId) throw new Refusal('SaleFileChanged')
    if (!plan.ok) throw faulty(plan.faults)
    const isWords = plan.changes.every(({ concerns }) => concerns === 'words')
    // If this instance cannot use the applied file, it does not know whether that file says so.
    const mustWait = services.sale.approvals.applySale || services.saleFileId !== appliedId
    if (!isWords && mustWait) {
      const waits = await requireApproval(services, transaction, operator, {
        act: 'applySaleFile',
        input: { hash, applied_id: String(appliedId), changes: plan.changes.map(changeText), text },
        summary: `Apply a sale file that changes money or links (changes: ${plan.changes.length})`,
        about: hash,
        usd: null,
      })
      if (waits !== null) return waits
    }
    const id = await writeSale(transaction, plan, {
      text,
      source: 'console',
      applied_at: services.clock.now(),
      operator_id: operator.id,
      operator: operator.name,
    })
    const details = { saleFile: String(id), hash, changes: String(plan.changes.length) }
    await recordAction(services, transaction, operator, { act: 'applySaleFile', details })
    return id
  })
  const present = await services.followSale()
  await fetchPrices(present)
  const file = await findSaleFile(services.database, fileId)
  if (file === null) throw new Refusal('NotFound')
  return file
}

/**
 * Builds what the sale needs before it is applied, and outside of any lock, since nodes are
 * queried: if something is missing, that is a refusal, and not a sale that no instance can follow.
 */
async function requireRails({ saleFiles, sale, database }: Services, text: string): Promise<void> {
  const applied = await findAppliedFile(database)
  invariant(applied !== null, 'A server that runs has applied a sale file.')
  const reading = saleFiles.read(text, applied.firstAppliedAt)
  // Its faults are reported under the lock.
  if (!reading.ok || saleFiles.listMissing(reading.sale).length > 0) return
  if (hasSameRails(reading.sale, sale)) return
  try {
    await saleFiles.buildRails(reading.sale)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const path = 'payment_tokens'
    throw faulty([{ ...reading.locate(path), path, message: why }])
  }
}

/** A new payment token has no price yet, and cannot be used to buy until it has. */
async function fetchPrices(services: Services): Promise<void> {
  try {
    await endLeaseAt(services.database, PRICES_LEASE, services.clock.now())
    await refreshPrices(services)
  } catch (error) {
    services.log.warn({ error }, 'Prices could not be fetched. The server tries again soon')
  }
}

function faulty(faults: readonly SaleFileFault[]): Refusal {
  return new Refusal('SaleFileFaulty', {
    errors: faults.map(({ line, column, path, message }) => ({
      path: `text:${line}:${column}`,
      message: path === '' ? message : `${path}: ${message}`,
    })),
  })
}
