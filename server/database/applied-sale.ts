import type { SaleDescription } from '#domain/describe-sale.ts'
import type { LedgerTransfer } from '#domain/ledger.ts'
import type { Price } from '#domain/money.ts'
import type { SaleHistory } from '#domain/sale-changes.ts'
import type { Stage, StageProgress } from '#domain/sale.ts'
import { isSoldOut, progressOf, stagePrice } from '#domain/stage.ts'
import type { DatabaseTransaction } from './tables.ts'

export type AppliedSale = {
  firstAppliedAt: Date
  /** What was applied last; null when nothing was. */
  description: SaleDescription | null
}

const NOT_APPLIED = '{}'

/**
 * Locks the sale against whoever applies it or sells from it meanwhile. The first ever call makes
 * its row, and a second one at the same moment waits for that.
 */
export async function lockAppliedSale(
  transaction: DatabaseTransaction,
  now: Date,
): Promise<AppliedSale> {
  const inserted = await transaction
    .insertInto('sale')
    .values({ first_applied_at: now, applied: NOT_APPLIED, applied_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('first_applied_at')
    .executeTakeFirst()
  if (inserted !== undefined) {
    return { firstAppliedAt: inserted.first_applied_at, description: null }
  }
  const row = await transaction
    .selectFrom('sale')
    .select(['first_applied_at', 'applied'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { firstAppliedAt: row.first_applied_at, description: row.applied }
}

export async function saveAppliedSale(
  transaction: DatabaseTransaction,
  description: SaleDescription,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('sale')
    .set({ applied: JSON.stringify(description), applied_at: now })
    .execute()
}

export type LockedCounter = StageProgress & Pick<Stage, 'supply' | 'tokenPrice'>

/** The counters of all stages, by stage id, locked in the order that everybody locks them in. */
export async function lockStageCounters(
  transaction: DatabaseTransaction,
): Promise<ReadonlyMap<string, LockedCounter>> {
  const rows = await transaction
    .selectFrom('stage_counters')
    .selectAll()
    .orderBy('stage_id')
    .forUpdate()
    .execute()
  return new Map(
    rows.map(({ stage_id, token_price, supply, reserved, sold, sold_out_at }) => [
      stage_id,
      { supply, reserved, sold, soldOutAt: sold_out_at, tokenPrice: token_price },
    ]),
  )
}

/** Which stages and payment tokens were ever bought from and paid in. */
export async function findUsedParts(
  transaction: DatabaseTransaction,
): Promise<Pick<SaleHistory, 'stageIds' | 'paymentTokenIds'>> {
  const purchases = await transaction
    .selectFrom('purchases')
    .select(['stage_id', 'payment_token_id'])
    .distinct()
    .execute()
  const rewards = await transaction.selectFrom('rewards').select('stage_id').distinct().execute()
  return {
    stageIds: new Set([...purchases, ...rewards].map((row) => row.stage_id)),
    paymentTokenIds: new Set(purchases.map((row) => row.payment_token_id)),
  }
}

/** Removes every other stage, with its counter and its points on the price chart. */
export async function deleteStagesExcept(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
): Promise<void> {
  const ids = stages.map(({ id }) => id)
  await transaction.deleteFrom('stages').where('id', 'not in', ids).execute()
  await transaction.deleteFrom('stage_counters').where('stage_id', 'not in', ids).execute()
  await transaction.deleteFrom('price_points').where('stage_id', 'not in', ids).execute()
}

export async function saveStages(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
): Promise<void> {
  await transaction
    .insertInto('stages')
    .values(
      stages.map((stage, index) => ({
        id: stage.id,
        position: index + 1,
        name: stage.name,
        type: stage.type,
        token_price: stage.tokenPrice,
        final_token_price: stage.finalTokenPrice,
        starts_at: stage.startsAt,
        ends_at: stage.endsAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        name: row.ref('excluded.name'),
        type: row.ref('excluded.type'),
        token_price: row.ref('excluded.token_price'),
        final_token_price: row.ref('excluded.final_token_price'),
        starts_at: row.ref('excluded.starts_at'),
        ends_at: row.ref('excluded.ends_at'),
      })),
    )
    .execute()
}

/**
 * Writes each stage's supply, and the price that follows from it and from what is sold. A stage
 * that has tokens again is not one that sold out.
 */
export async function saveStageCounters(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
  progress: ReadonlyMap<string, StageProgress>,
): Promise<void> {
  await transaction
    .insertInto('stage_counters')
    .values(
      stages.map((stage) => ({
        stage_id: stage.id,
        supply: stage.supply,
        reserved: progressOf(progress, stage).reserved,
        sold: progressOf(progress, stage).sold,
        token_price: stagePrice(stage, progressOf(progress, stage).sold),
        sold_out_at: soldOutAtOf(stage, progressOf(progress, stage)),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('stage_id').doUpdateSet((row) => ({
        supply: row.ref('excluded.supply'),
        token_price: row.ref('excluded.token_price'),
        sold_out_at: row.ref('excluded.sold_out_at'),
      })),
    )
    .execute()
}

const soldOutAtOf = (stage: Stage, progress: StageProgress) =>
  isSoldOut(stage, progress) ? (progress.soldOutAt ?? null) : null

/** Replaces the points of stages that nobody has bought from by one at their opening. */
export async function saveOpeningPricePoints(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
): Promise<void> {
  if (stages.length === 0) return
  const ids = stages.map(({ id }) => id)
  await transaction.deleteFrom('price_points').where('stage_id', 'in', ids).execute()
  await transaction
    .insertInto('price_points')
    .values(
      stages.map(({ id, tokenPrice, startsAt }) => ({
        stage_id: id,
        price: tokenPrice,
        at: startsAt,
      })),
    )
    .execute()
}

export async function insertPricePoints(
  transaction: DatabaseTransaction,
  points: readonly { stageId: string; price: Price }[],
  at: Date,
): Promise<void> {
  if (points.length === 0) return
  await transaction
    .insertInto('price_points')
    .values(points.map(({ stageId, price }) => ({ stage_id: stageId, price, at })))
    .execute()
}

/** Books what stages were given of the supply, or gave back to it. */
export async function insertSupplyTransfers(
  transaction: DatabaseTransaction,
  transfers: readonly LedgerTransfer[],
  at: Date,
): Promise<void> {
  if (transfers.length === 0) return
  await transaction
    .insertInto('ledger_transfers')
    .values(transfers.map((transfer) => ({ ...transfer, cause_id: null, user_id: null, at })))
    .execute()
}
