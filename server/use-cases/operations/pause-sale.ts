import { notifyLive } from '#server/database/connection/notify-live.ts'
import { lockPause, savePause } from '#server/database/sale/sale-pause.ts'
import type { Services } from '#server/services.ts'
import { getSaleState, type SaleState } from './get-sale-state.ts'
import { type Operator, recordAction } from './record-action.ts'

/**
 * Stops selling at once; what was bought is still settled. A sale that is paused already keeps the
 * first reason.
 */
export async function pauseSale(
  services: Services,
  reason: string,
  operator: Operator,
): Promise<SaleState> {
  await services.database.transaction().execute(async (transaction) => {
    const pause = await lockPause(transaction)
    if (pause.isPaused) return
    await savePause(transaction, {
      ...pause,
      isPaused: true,
      reason,
      pausedAt: services.clock.now(),
    })
    const action = { act: 'pauseSale', details: { reason } }
    await recordAction(services, transaction, operator, action)
    await notifyLive(transaction, [{ kind: 'stage' }])
  })
  services.market.invalidate()
  return await getSaleState(services)
}
