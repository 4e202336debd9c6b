import type { LiveChange } from '#domain/live-change.ts'
import type { Price } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { getActiveStage, type StageView } from '#server/use-cases/sale/get-active-stage.ts'
import { getPrices } from '#server/use-cases/sale/get-prices.ts'
import { findTransactionView, type TransactionView } from './transaction-view.ts'

/** What was read of the market after a change. */
export type SeenMarket =
  /** Null if no stage is on sale. */
  | { kind: 'stage'; stage: StageView | null }
  | { kind: 'prices'; prices: ReadonlyMap<string, Price> }
  /** Another sale file was applied: anything known about the sale may have changed. */
  | { kind: 'sale' }

/** In a rush the stage moves many times a second, and nobody reads faster than this. */
const MARKET_EVERY_MS = 500

/**
 * Reports changes to the caller's own transactions. Several changes to one transaction while
 * another is being read are reported once. Returns the function that stops it.
 */
export function watchTransactions(
  services: Services,
  caller: Caller,
  notify: (transaction: TransactionView) => void,
): () => void {
  const waiting = new Set<string>()
  let isReading = false
  let isStopped = false

  async function readWaiting(): Promise<void> {
    isReading = true
    for (const transactionId of waiting) {
      waiting.delete(transactionId)
      try {
        const transaction = await findTransactionView(services, transactionId)
        if (isStopped) break
        if (transaction !== null) notify(transaction)
      } catch (fault) {
        const facts = { fault, transactionId }
        services.log.warn(facts, 'A changed transaction could not be read and was left out')
      }
    }
    isReading = false
  }

  const unsubscribe = services.live.subscribeUser(caller.userId, (change) => {
    if (change.kind !== 'purchase') return
    waiting.add(change.transactionId)
    if (!isReading) void readWaiting()
  })
  return () => {
    isStopped = true
    waiting.clear()
    unsubscribe()
  }
}

/** Reports changes to what is delivered to the caller. Returns the function that stops it. */
export function watchDelivery(services: Services, caller: Caller, notify: () => void): () => void {
  return services.live.subscribeUser(caller.userId, ({ kind }) => {
    if (kind === 'delivery_changed') notify()
  })
}

/**
 * Reports changes of the stage and the prices, which are the same for everybody: at once, then half
 * a second later at the earliest, always with the state at that time. Returns the function that
 * stops it.
 */
export function watchMarket(services: Services, notify: (seen: SeenMarket) => void): () => void {
  const waiting = new Set<SeenMarket['kind']>()
  let isReading = false
  let isStopped = false
  let readAtMs = -Infinity
  let timer: NodeJS.Timeout | null = null

  async function readWaiting(): Promise<void> {
    timer = null
    isReading = true
    readAtMs = performance.now()
    // Changes from now on are read in the next round.
    const kinds = [...waiting]
    waiting.clear()
    for (const kind of kinds) {
      try {
        const seen = await readMarket(services, kind)
        if (isStopped) break
        notify(seen)
      } catch (fault) {
        services.log.warn({ fault, kind }, 'A live change could not be read and was left out')
      }
    }
    isReading = false
    if (waiting.size > 0) readLater()
  }

  function readLater(): void {
    if (timer !== null || isReading || isStopped) return
    const waitMs = readAtMs + MARKET_EVERY_MS - performance.now()
    if (waitMs <= 0) void readWaiting()
    else timer = setTimeout(() => void readWaiting(), waitMs)
  }

  const unsubscribe = services.live.subscribe(({ kind }: LiveChange) => {
    if (kind === 'purchase' || kind === 'delivery_changed' || kind === 'sale_applied') return
    waiting.add(kind)
    readLater()
  })
  return () => {
    isStopped = true
    if (timer !== null) clearTimeout(timer)
    unsubscribe()
  }
}

async function readMarket(services: Services, kind: SeenMarket['kind']): Promise<SeenMarket> {
  if (kind === 'sale') return { kind }
  return kind === 'stage'
    ? { kind, stage: await findActiveStage(services) }
    : { kind, prices: await getPrices(services) }
}

async function findActiveStage(services: Services): Promise<StageView | null> {
  try {
    return await getActiveStage(services)
  } catch (fault) {
    if (fault instanceof Refusal) return null
    throw fault
  }
}
