import { add, least, subtract } from '#domain/money.ts'
import { spendingLimits } from '#domain/sale/quote.ts'
import { reservationBounds, shareLeft } from '#domain/sale/reservation.ts'
import type { Sale, Stage, StageProgress } from '#domain/sale/sale.ts'
import { progressOf, remaining, saleStatus } from '#domain/sale/stage.ts'
import { noteOpening } from '#server/database/sale/stage-openings.ts'
import type { Services } from '#server/services.ts'

/**
 * Watches for stage changes that no committed change announces: because of the clock, or by hand in
 * the database, a stage begins or ends, or the sale starts, pauses, resumes or ends. Also watches
 * what is left of a stage when that may matter to a buyer. Each instance notifies its own
 * listeners, and the first that sees a stage on sale notes that it opened. Returns the step to run
 * once a second.
 */
export function createStageWatch(): (services: Services) => Promise<void> {
  let known: string | null = null
  let noted: string | null = null
  return async (services) => {
    const { sale, saleFileId, clock, market, live, database } = services
    const { progress, halt } = await market.read()
    const status = saleStatus(sale, progress, halt, clock.now())
    if (status.status === 'ACTIVE') {
      // Another file may have a new stage with the id of one that was removed.
      const opening = `${saleFileId} ${status.stage.id}`
      if (opening !== noted) await noteOpening(database, status.stage.id, clock.now())
      noted = opening
    }
    const state =
      status.status === 'ACTIVE'
        ? `${status.stage.id} ${roomOf(sale, status.stage, progressOf(progress, status.stage))}`
        : JSON.stringify(status)
    const hasChanged = known !== null && known !== state
    known = state
    if (hasChanged) live.notifyLocal({ kind: 'stage' })
  }
}

/**
 * What is left of a stage and how much of it can be reserved; or `plenty` if the largest purchase
 * fits with any bonuses, so that other people's reservations do not matter to a buyer.
 */
function roomOf(sale: Sale, stage: Stage, progress: StageProgress): string {
  const { maxUsd } = stage
  const left = remaining(stage, progress)
  const free = least(left, shareLeft(stage, progress, reservationBounds(sale, stage)))
  const taken = add(progress.reserved, subtract(left, free))
  const fitsMost = (available: bigint) => maxUsd !== null && available >= maxUsd
  const isPlenty = sale.paymentTokens.every((paymentToken) =>
    fitsMost(spendingLimits(stage, { ...progress, reserved: taken }, paymentToken).available),
  )
  return isPlenty ? 'plenty' : `${left} ${free}`
}
