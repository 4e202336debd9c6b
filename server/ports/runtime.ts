import type { Market, StageProgress } from '#domain/sale/sale.ts'
import type { ChartPeriod, PricePoint } from '#domain/sale/price.ts'
import type { LiveChange } from '#domain/live-change.ts'

/** A value that prints as `[secret]`, so that no log contains it. */
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

export type MarketReader = {
  /**
   * The cached state: at most a second old, and newer than the last change that this instance has
   * made or received, so that most calls read nothing. As long as it is the same reading it is the
   * same promise, so that anything derived from it can be recognised as such.
   */
  read(): Promise<Market>
  /**
   * Reads after the call, and so sees everything that any instance committed before. Calls during a
   * reading share the next one.
   */
  readNow(): Promise<Market>
  /** Drops the cached state after a change. */
  invalidate(): void
  /**
   * Call this before purchases of a stage are booked, and call what it returns afterwards, with the
   * stage's progress: then the cached state follows without being read again, neither at once nor
   * when these purchases are notified. Null if the progress is unknown.
   */
  expectBooking(
    stageId: string,
    purchaseIds: readonly string[],
  ): (progress: StageProgress | null) => void
}

/** How many pages this instance has sent and not stored yet; nothing about who asked. */
export type VisitCounter = {
  add(more?: number): void
  /** The count so far; counting then starts again from zero. */
  take(): number
}

/** The cached price charts, so that many readers cost no more than one. */
export type ChartReader = {
  read(period: ChartPeriod): Promise<readonly PricePoint[]>
}

/** A change that concerns one user only. */
export type UserChange = Extract<LiveChange, { userId: string }>

export type LiveFeed = {
  /**
   * Calls back on each committed change, of this or any other instance. Returns the function that
   * unsubscribes.
   */
  subscribe(listener: (change: LiveChange) => void): () => void
  /** The same for changes that concern one user only. */
  subscribeUser(userId: string, listener: (change: UserChange) => void): () => void
  /** Calls back when changes may have been missed: subscribers have to read again. */
  onGap(listener: () => void): () => void
  /** Notifies only this instance's listeners of something that each instance notices by itself. */
  notifyLocal(change: LiveChange): void
}

/**
 * A call to another server. Throws `Unavailable`, whose message names only the host, if no reply
 * comes in time or it is too large.
 */
export type Outgoing = (call: {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  withinMs: number
  bytesMax: number
}) => Promise<{ status: number; header(name: string): string | null; text: string }>
