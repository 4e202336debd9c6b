import { createHash } from 'node:crypto'

import { hasEnded, sellsMore } from '#domain/sale/changes/after-the-end.ts'
import { describeSale } from '#domain/sale/changes/describe-sale.ts'
import { type LedgerTransfer, openingTransfers } from '#domain/settlement/ledger.ts'
import { tokenAmount } from '#domain/money.ts'
import type { HistoryFault } from '#domain/sale/changes/promised-releases.ts'
import {
  changesOf,
  planSale,
  priceMoves,
  type SaleChange,
  type SalePlan,
} from '#domain/sale/changes/sale-changes.ts'
import type { SaleFileFault, SaleReading } from '#domain/sale/sale-reading.ts'
import type { Sale, Stage, StageProgress } from '#domain/sale/sale.ts'
import { opensAt, progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import {
  deleteStagesExcept,
  findUsedParts,
  insertSupplyTransfers,
  type LockedSale,
  lockAppliedSale,
  saveAppliedSale,
  saveStages,
} from '#server/database/sale/applied-sale.ts'
import {
  findLastHashFromDisk,
  findSaleFile,
  insertSaleFile,
  type NewSaleFile,
} from '#server/database/sale/sale-files.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import {
  deleteComingPoints,
  findPriceBefore,
  insertPricePoints,
} from '#server/database/sale/price-points.ts'
import {
  type LockedCounter,
  lockStageCounters,
  progressUnder,
  saveStageCounters,
} from '#server/database/sale/stage-counters.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** The sale file cannot be applied, and nothing of it was. */
export class SaleRefused extends Error {
  override readonly name = 'SaleRefused'
  readonly faults: readonly SaleFileFault[]
  /** When the file was applied at the console, if it was; null for the one on the disk. */
  readonly appliedAt: Date | null

  constructor(faults: readonly SaleFileFault[], appliedAt: Date | null = null) {
    super('The sale file cannot be applied.')
    this.faults = faults
    this.appliedAt = appliedAt
  }
}

/** Reads the text of a sale file; durations count from the instant. */
export type ReadSale = (text: string, firstAppliedAt: Date) => SaleReading

export type AppliedSale = {
  sale: Sale
  countedDates: readonly string[]
  fileId: bigint
  changes: readonly SaleChange[]
  /** Where its file comes from: the disk, or the console, which the disk does not override. */
  source: 'disk' | 'console'
}

/**
 * Applies the sale at a start, in one database transaction. The file on the disk is applied only if
 * it differs from the one that was last applied from the disk. Otherwise the sale stays as it was
 * last applied, so a restart does not undo what was applied at the console. Durations in a file
 * count from the first time that a sale was applied. Safe to repeat, and on several instances at
 * once: the second one waits, and finds nothing to change. Throws {@link SaleRefused} for a faulty
 * file and for one that would rewrite history.
 */
export async function applySaleAtStart(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  disk: string,
  read: ReadSale,
): Promise<AppliedSale> {
  return database.transaction().execute(async (transaction) => {
    const now = clock.now()
    const applied = await lockAppliedSale(transaction, now)
    const kept =
      applied.fileId === null || (await findLastHashFromDisk(transaction)) !== saleFileHash(disk)
        ? null
        : await findSaleFile(transaction, applied.fileId)
    const text = kept?.text ?? disk
    const reading = read(text, applied.firstAppliedAt)
    // A row that a restart made has either file.
    const appliedAt = kept === null || kept.text === disk ? null : kept.applied_at
    if (!reading.ok) throw new SaleRefused(reading.faults, appliedAt)
    const plan = await planUnderLock(transaction, applied, reading, now)
    if (!plan.ok) throw new SaleRefused(plan.faults, appliedAt)
    const { sale, countedDates } = reading
    const source = appliedAt === null ? 'disk' : 'console'
    if (kept !== null && plan.changes.length === 0) {
      return { sale, countedDates, fileId: kept.id, changes: [], source }
    }
    const fileId = await writeSale(transaction, plan, {
      text,
      source: kept === null ? 'disk' : 'restart',
      applied_at: now,
      operator_id: null,
      operator: null,
    })
    return { sale, countedDates, fileId, changes: plan.changes, source }
  })
}

export function saleFileHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type GoodReading = Extract<SaleReading, { ok: true }>

/** What applying a sale would do, or why it cannot be applied. */
export type PlannedSale =
  | { ok: false; faults: readonly SaleFileFault[] }
  /** Where nothing changes, there is nothing before it to compare with. */
  | { ok: true; sale: Sale; changes: readonly SaleChange[]; before: Before | null }

const frozenFault = (number: number): HistoryFault => ({
  path: 'stages',
  message:
    `expected every stage to be over, since snapshot ${number} says for good who owns the tokens, ` +
    'found one that would sell more',
})

/** Compares a sale with the applied one. Call it under the lock of `lockAppliedSale`. */
export async function planUnderLock(
  transaction: DatabaseTransaction,
  applied: Pick<LockedSale, 'description'>,
  { sale, locate }: GoodReading,
  now: Date,
): Promise<PlannedSale> {
  const counters = await lockStageCounters(transaction)
  const { description } = applied
  if (description !== null && changesOf(description, sale).length === 0) {
    return { ok: true, sale, changes: [], before: null }
  }
  const history = {
    progress: counters,
    ...(await findUsedParts(transaction)),
    hasEnded: description !== null && hasEnded(description, counters, now),
  }
  const compared = planSale(description, sale, history)
  const snapshot = await findLastSnapshot(transaction)
  const progress = progressUnder(sale.stages, counters, now)
  // A stage whose tokens came back since is not over either, and its sale is not sold again.
  const isSoldAgain =
    compared.ok &&
    snapshot !== null &&
    saleStatus(sale, progress, null, now).status !== 'ENDED' &&
    (description === null || sellsMore(description, sale, counters))
  const plan: SalePlan = isSoldAgain
    ? { ok: false, faults: [frozenFault(snapshot.number)] }
    : compared
  if (plan.ok) {
    const changes = [...plan.changes, ...priceMoves(sale, counters)]
    return { ok: true, sale, changes, before: { counters, progress } }
  }
  const faults = plan.faults.map((fault) => ({ ...locate(fault.path), ...fault }))
  return { ok: false, faults: faults.toSorted((one, other) => one.line - other.line) }
}

/**
 * Writes a planned sale with its file, and notifies all instances, which follow once this is
 * committed. Returns the id of the file.
 */
export async function writeSale(
  transaction: DatabaseTransaction,
  { sale, changes, before }: Extract<PlannedSale, { ok: true }>,
  file: Omit<NewSaleFile, 'sha256' | 'changes'>,
): Promise<bigint> {
  const now = file.applied_at
  const sha256 = saleFileHash(file.text)
  const fileId = await insertSaleFile(transaction, { ...file, sha256, changes: [...changes] })
  if (before !== null) await saveStagesWithTokens(transaction, sale, { ...before, now })
  await saveAppliedSale(transaction, describeSale(sale), fileId, now)
  await notifyLive(transaction, [{ kind: 'sale_applied' }])
  return fileId
}

type Before = {
  counters: ReadonlyMap<string, LockedCounter>
  /** By the new sale file. */
  progress: ReadonlyMap<string, StageProgress>
}

async function saveStagesWithTokens(
  transaction: DatabaseTransaction,
  sale: Sale,
  { counters, progress, now }: Before & { now: Date },
): Promise<void> {
  const { stages } = sale
  await deleteStagesExcept(transaction, stages)
  await saveStages(transaction, stages)
  await saveStageCounters(transaction, stages, progress)
  await savePrices(transaction, sale, { counters, progress, now })
  await insertSupplyTransfers(transaction, supplyTransfers(stages, counters), now)
}

/** What buyers were shown until now stays on the price chart; only the first file has a past. */
async function savePrices(
  transaction: DatabaseTransaction,
  sale: Sale,
  { counters, progress, now }: Before & { now: Date },
): Promise<void> {
  const isFirst = counters.size === 0
  await deleteComingPoints(transaction, now)
  for (const stage of sale.stages) {
    const opening = opensAt(sale, progress, stage)
    if (opening === null || (opening <= now && !isFirst)) continue
    const price = stagePrice(stage, progressOf(progress, stage).sold)
    await insertPricePoints(transaction, [{ stageId: stage.id, price }], opening)
  }
  const onSale = saleStatus(sale, progress, null, now)
  if (onSale.status === 'ACTIVE' && !isFirst) {
    const { stage } = onSale
    const price = stagePrice(stage, progressOf(progress, stage).sold)
    if (price !== (await findPriceBefore(transaction, now))) {
      await insertPricePoints(transaction, [{ stageId: stage.id, price }], now)
    }
  }
}

/** Gives each stage the supply that it gains, and takes away what it loses. */
function supplyTransfers(
  stages: readonly Stage[],
  counters: ReadonlyMap<string, LockedCounter>,
): LedgerTransfer[] {
  const after = new Map(stages.map(({ id, supply }) => [id, supply]))
  const ids = [...new Set([...counters.keys(), ...after.keys()])]
  return ids.flatMap((id) => {
    const change = (after.get(id) ?? 0n) - (counters.get(id)?.supply ?? 0n)
    return openingTransfers({ id, supply: tokenAmount(change) })
  })
}
