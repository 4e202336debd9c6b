import { describeSale } from '#domain/sale/describe-sale.ts'
import { type LedgerTransfer, openingTransfers } from '#domain/settlement/ledger.ts'
import { tokenAmount } from '#domain/money.ts'
import { planSale, type SaleHistory } from '#domain/sale/sale-changes.ts'
import type { SaleFileFault, SaleReading } from '#domain/sale/sale-reading.ts'
import type { Sale, Stage } from '#domain/sale/sale.ts'
import { progressOf, stagePrice } from '#domain/sale/stage.ts'
import {
  deleteStagesExcept,
  findUsedParts,
  insertSupplyTransfers,
  lockAppliedSale,
  saveAppliedSale,
  saveStages,
} from '#server/database/sale/applied-sale.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { insertPricePoints, saveOpeningPricePoints } from '#server/database/sale/price-points.ts'
import {
  type LockedCounter,
  lockStageCounters,
  saveStageCounters,
} from '#server/database/sale/stage-counters.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** The sale file cannot be applied. Nothing of it was. */
export class SaleRefused extends Error {
  override readonly name = 'SaleRefused'
  readonly faults: readonly SaleFileFault[]

  constructor(faults: readonly SaleFileFault[]) {
    super('The sale file cannot be applied.')
    this.faults = faults
  }
}

/**
 * Applies the sale file in one database transaction and returns the changes, a line for each.
 * Durations in the file are counted from the first time that a sale was applied, which `read` gets.
 * Safe to repeat, and at several instances at once: the second one waits, and finds nothing to
 * change. Throws {@link SaleRefused} for a wrong file and for one that would
 * rewrite history.
 */
export async function applySale(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  read: (firstAppliedAt: Date) => SaleReading,
): Promise<{ sale: Sale; changes: readonly string[] }> {
  return database.transaction().execute(async (transaction) => {
    const now = clock.now()
    const applied = await lockAppliedSale(transaction, now)
    const reading = read(applied.firstAppliedAt)
    if (!reading.ok) throw new SaleRefused(reading.faults)

    const counters = await lockStageCounters(transaction)
    const history = { progress: counters, ...(await findUsedParts(transaction)) }
    const plan = planSale(applied.description, reading.sale, history)
    if (!plan.ok) {
      const faults = plan.faults.map((fault) => ({ ...reading.locate(fault.path), ...fault }))
      throw new SaleRefused(faults.toSorted((one, other) => one.line - other.line))
    }
    if (plan.changes.length > 0) {
      await saveStagesWithTokens(transaction, reading.sale, { counters, history, now })
      await saveAppliedSale(transaction, describeSale(reading.sale), now)
      await notifyLive(transaction, [{ kind: 'stage' }])
    }
    return { sale: reading.sale, changes: plan.changes }
  })
}

type Before = {
  counters: ReadonlyMap<string, LockedCounter>
  history: SaleHistory
  now: Date
}

async function saveStagesWithTokens(
  transaction: DatabaseTransaction,
  { stages }: Sale,
  { counters, history, now }: Before,
): Promise<void> {
  const isTouched = ({ id }: Stage) => history.stageIds.has(id)
  const moved = stages
    .map((stage) => ({ stage, price: stagePrice(stage, progressOf(counters, stage).sold) }))
    .filter(({ stage, price }) => isTouched(stage) && price !== counters.get(stage.id)?.tokenPrice)
    .map(({ stage, price }) => ({ stageId: stage.id, price }))

  await deleteStagesExcept(transaction, stages)
  await saveStages(transaction, stages)
  await saveStageCounters(transaction, stages, counters)
  await saveOpeningPricePoints(
    transaction,
    stages.filter((stage) => !isTouched(stage)),
  )
  await insertPricePoints(transaction, moved, now)
  await insertSupplyTransfers(transaction, supplyTransfers(stages, counters), now)
}

/** Gives each stage what it has more than before, and takes back what it has less. */
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
