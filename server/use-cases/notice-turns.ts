import { saleStatus } from '#domain/stage.ts'
import type { Services } from '#server/services.ts'

/**
 * Notices when the sale moves on by the clock, or because somebody changed the database by hand:
 * a stage begins or ends, the sale starts, pauses, goes on or ends. Nothing is written then that
 * could notify, so each instance tells its own listeners. Gives the step to be taken each second.
 */
export function createTurnNotice(): (services: Services) => Promise<void> {
  let known: string | null = null
  return async (services) => {
    const { sale, clock, market, live } = services
    const { progress, isPaused } = await market.read()
    const status = saleStatus(sale, progress, isPaused, clock.now())
    const turn = status.status === 'ACTIVE' ? status.stage.id : JSON.stringify(status)
    const isTurned = known !== null && known !== turn
    known = turn
    if (isTurned) live.tellHere({ kind: 'stage' })
  }
}
