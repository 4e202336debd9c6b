import type { Market, StageProgress } from '#domain/sale/sale.ts'
import type { ChartPeriod, PricePoint } from '#domain/sale/price.ts'
import type { LiveChange } from '#domain/live-change.ts'

/** A value that prints as `[secret]`, so that no log holds it. */
export type Secret = { reveal(): string }

export type Clock = { now(): Date }

export type Random = {
  /** A version 4 UUID. */
  id(): string
  /** 256 unguessable bits as base64url. */
  token(): string
}

type LogMethod = (facts: Record<string, unknown>, message: string) => void
export type Log = { debug: LogMethod; info: LogMethod; warn: LogMethod; error: LogMethod }

/** The state of the sale. */
export type MarketReader = {
  /**
   * The cached state: at most a second old, and newer than the last change that this instance has
   * made or received, so that most calls read nothing. The same promise as long as it is the same
   * reading, so that what was made from one is known to be of it.
   */
  read(): Promise<Market>
  /**
   * Reads after the call, and so sees all that any instance committed before. Calls during a
   * reading share the next one.
   */
  readNow(): Promise<Market>
  /** Drops the cached state after a change. */
  invalidate(): void
  /**
   * Call it before purchases of a stage are booked, and what it returns afterwards, with how far
   * that stage has come: so that the cached state follows without being read again, neither then
   * nor when these purchases are notified. Null if that is not known.
   */
  expectBooking(
    stageId: string,
    purchaseIds: readonly string[],
  ): (progress: StageProgress | null) => void
}

/** How many pages were sent by this instance and are not stored yet; nothing of who asked. */
export type VisitCounter = {
  add(more?: number): void
  /** What has come together, which begins anew. */
  take(): number
}

/** The cached price charts, so that many readers cost no more than one. */
export type ChartReader = {
  read(period: ChartPeriod): Promise<readonly PricePoint[]>
}

/** A change that is nobody else's. */
export type UserChange = Extract<LiveChange, { userId: string }>

export type LiveFeed = {
  /**
   * Calls back on each committed change, of this or any other instance. Returns the function that
   * unsubscribes.
   */
  subscribe(listener: (change: LiveChange) => void): () => void
  /** The same of what concerns one user alone. */
  subscribeUser(userId: string, listener: (change: UserChange) => void): () => void
  /** Calls back when changes may have been missed: subscribers have to read again. */
  onGap(listener: () => void): () => void
  /** Notifies the listeners of this instance only, of what each instance notices by itself. */
  notifyLocal(change: LiveChange): void
}

/**
 * A call to another server. Throws `Unavailable`, whose message names only the host, where no
 * answer comes in time or it is too large.
 */
export type Outgoing = (call: {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  withinMs: number
  bytesMax: number
}) => Promise<{ status: number; header(name: string): string | null; text: string }>
