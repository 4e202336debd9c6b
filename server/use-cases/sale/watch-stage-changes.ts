import { add, least, subtract } from '#domain/money.ts'
import { spendingLimits } from '#domain/sale/quote.ts'
import { reservationBounds, shareLeft } from '#domain/sale/reservation.ts'
import type { Sale, Stage, StageProgress } from '#domain/sale/sale.ts'
import { progressOf, remaining, saleStatus } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

/**
 * Notices when the sale moves on by the clock, or because somebody changed the database by hand: a
 * stage begins or ends, the sale starts, pauses, goes on or ends. And when what is left of a stage
 * becomes more or less, where that may matter to a buyer. Of either nothing is written that
 * could notify everybody, so each instance tells its own listeners, at most once a second. Gives
 * the step to be taken each second.
 */
export function createStageWatch(): (services: Services) => Promise<void> {
  let known: string | null = null
  return async (services) => {
    const { sale, clock, market, live } = services
    const { progress, isPaused } = await market.read()
    const status = saleStatus(sale, progress, isPaused, clock.now())
    const state =
      status.status === 'ACTIVE'
        ? `${status.stage.id} ${roomOf(sale, status.stage, progressOf(progress, status.stage))}`
        : JSON.stringify(status)
    const hasChanged = known !== null && known !== state
    known = state
    if (hasChanged) live.tellHere({ kind: 'stage' })
  }
}

/**
 * What is left of a stage, and how much of it can be reserved before some is paid; or that it is
 * plenty: the largest purchase fits, whatever its bonuses. Then what others reserve concerns
 * nobody.
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
