import { Refusal } from '#domain/refusal.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { lockPause, savePause, type StoredReport } from '#server/database/sale/sale-pause.ts'
import type { Services } from '#server/services.ts'
import { getSaleState, type SaleState } from './get-sale-state.ts'
import { inspectInvariants } from './guard-invariants.ts'
import { type Operator, recordAction } from './operator-actions.ts'

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

/**
 * Lets a paused sale go on, once a check made now finds that the books agree. By force it goes on
 * in spite of what is found, and the same does not pause it again. Refuses with `BooksDisagree`.
 */
export async function resumeSale(
  services: Services,
  isForced: boolean,
  operator: Operator,
): Promise<SaleState> {
  const report = await inspectInvariants(services)
  const isSound = report.breaches.length === 0 && report.notRun.length === 0
  if (!isSound && !isForced) throw new Refusal('BooksDisagree', { message: whyNot(report) })

  await services.database.transaction().execute(async (transaction) => {
    const pause = await lockPause(transaction)
    const accepted = report.breaches.map(({ check, subject }) => ({ check, subject }))
    await savePause(transaction, { isPaused: false, reason: null, pausedAt: null, accepted })
    const details = { force: String(isForced), breaches: String(accepted.length) }
    await recordAction(services, transaction, operator, { act: 'resumeSale', details })
    if (pause.isPaused) await notifyLive(transaction, [{ kind: 'stage' }])
  })
  services.market.invalidate()
  return await getSaleState(services)
}

const LISTED_MAX = 5

function whyNot({ breaches, notRun }: StoredReport): string {
  const faults = [
    ...breaches.map(({ fault }) => fault),
    ...notRun.map(({ check, fault }) => `${check} could not be checked (${fault})`),
  ]
  const more = faults.length > LISTED_MAX ? ` And ${faults.length - LISTED_MAX} more.` : ''
  const listed = faults.slice(0, LISTED_MAX).join('. ')
  return (
    `The books of the sale do not agree: ${listed}.${more} Mend this before the sale goes on, or ` +
    'resume by force'
  )
}
