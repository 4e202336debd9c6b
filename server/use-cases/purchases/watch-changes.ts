import type { LiveChange } from '#domain/live-change.ts'
import type { Price } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { getActiveStage, type StageView } from '#server/use-cases/sale/get-active-stage.ts'
import { getPrices } from '#server/use-cases/sale/get-prices.ts'
import { findTransactionView, type TransactionView } from './transaction-view.ts'

/** A change, with what was read after it. */
export type SeenChange =
  | { kind: 'transaction'; transaction: TransactionView }
  /** Null where no stage is on sale. */
  | { kind: 'stage'; stage: StageView | null }
  | { kind: 'prices'; prices: ReadonlyMap<string, Price> }

/**
 * Notifies the caller of changes to its own transactions, the stage and the prices. Several changes
 * of one thing that come while another is being read are notified once. Returns the way to stop.
 */
export function watchChanges(
  services: Services,
  caller: Caller,
  notify: (change: SeenChange) => void,
): () => void {
  const waiting = new Map<string, LiveChange>()
  let isReading = false
  let isStopped = false

  async function readWaiting(): Promise<void> {
    isReading = true
    for (const [key, change] of waiting) {
      waiting.delete(key)
      try {
        const seen = await readChange(services, change)
        if (isStopped) break
        if (seen !== null) notify(seen)
      } catch (fault) {
        services.log.warn({ fault, change }, 'A live change could not be read and was left out')
      }
    }
    isReading = false
  }

  const unsubscribe = services.live.subscribe((change) => {
    if (change.kind === 'purchase' && change.userId !== caller.userId) return
    waiting.set(change.kind === 'purchase' ? change.transactionId : change.kind, change)
    if (!isReading) void readWaiting()
  })
  return () => {
    isStopped = true
    waiting.clear()
    unsubscribe()
  }
}

async function readChange(services: Services, change: LiveChange): Promise<SeenChange | null> {
  switch (change.kind) {
    case 'purchase': {
      const transaction = await findTransactionView(services, change.transactionId)
      return transaction === null ? null : { kind: 'transaction', transaction }
    }
    case 'stage':
      return { kind: 'stage', stage: await findActiveStage(services) }
    case 'prices':
      return { kind: 'prices', prices: await getPrices(services) }
  }
}

async function findActiveStage(services: Services): Promise<StageView | null> {
  try {
    return await getActiveStage(services)
  } catch (fault) {
    if (fault instanceof Refusal) return null
    throw fault
  }
}
