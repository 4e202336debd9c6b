import type { Market } from '#domain/sale/market.ts'
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
   * As last read: at most a second old, and from after the last change that this instance has made
   * or heard of, so that most calls read nothing.
   */
  read(): Promise<Market>
  /**
   * By a reading that begins after the question: it knows of all that was committed before, at
   * whatever instance. Those who ask during one share the next.
   */
  readNow(): Promise<Market>
  /** Makes the next reading a fresh one, after a change. */
  invalidate(): void
}

/** The price charts as last read, so that everybody who asks costs no more than one who does. */
export type ChartReader = {
  read(period: ChartPeriod): Promise<readonly PricePoint[]>
}

export type LiveFeed = {
  /** Calls back on each committed change, of this or any other instance. Returns the way out. */
  subscribe(listener: (change: LiveChange) => void): () => void
  /** Calls back when changes may have been missed: whoever relies on them has to look again. */
  onGap(listener: () => void): () => void
  /** Tells the listeners of this instance alone, of what each instance notices by itself. */
  notifyLocal(change: LiveChange): void
}

/**
 * A call to another server. Throws `Unavailable`, which never names more of the address than its
 * host, where no answer comes in time or it is too large.
 */
export type Outgoing = (call: {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  withinMs: number
  bytesMax: number
}) => Promise<{ status: number; header(name: string): string | null; text: string }>
