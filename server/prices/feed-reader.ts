import { parseExactJson, readWrittenDecimal } from '#domain/exact-json.ts'
import { PRICE_DECIMALS, type Price, price as priceOf } from '#domain/money.ts'
import { Unavailable, whyOf } from '#domain/unavailable.ts'
import type { Clock, Log, Outgoing } from '#server/ports/runtime.ts'
import { type Feed, marketOf } from './feeds.ts'

/** The last price of a symbol at a feed, in the currency of the feed. */
export type FeedQuote = { symbol: string; price: Price; at: Date }

export type FeedReader = {
  feed: Feed
  /**
   * The quotes of the last successful request. A feed is asked at most once a minute, or sooner
   * after a failure and for a symbol that it was never asked for.
   */
  ask(symbols: readonly string[]): Promise<readonly FeedQuote[]>
}

/** A little less than the minute in which prices are refreshed. */
const EVERY_MS = 55_000
/** A little less than the time after which a failed refresh is tried again. */
const RETRY_MS = 9_000
const PAUSE_MAX_MS = 16 * 60_000
const ANSWER_WITHIN_MS = 8_000
const ANSWER_BYTES_MAX = 512 * 1024

/** Statuses of a feed that throttles or blocks us. */
const REFUSALS = new Set([403, 418, 429, 451])

/**
 * Asks one feed, less and less often while it refuses. A failure yields no new quotes, and is
 * logged once.
 */
export function createFeedReader(
  feed: Feed,
  { outgoing, clock, log }: { outgoing: Outgoing; clock: Clock; log: Log },
): FeedReader {
  let last: readonly FeedQuote[] = []
  let asked: readonly string[] = []
  let askedAtMs = 0
  let askAgainAtMs = 0
  let refusals = 0
  let complaint: string | null = null

  async function call(symbols: readonly string[], now: Date): Promise<FeedQuote[]> {
    const markets = [...new Set(symbols.flatMap((symbol) => marketOf(feed, symbol) ?? []))]
    const reply = await outgoing({
      url: feed.origin + feed.path(markets),
      method: 'GET',
      headers: { accept: 'application/json', ...feed.headers },
      body: null,
      withinMs: ANSWER_WITHIN_MS,
      bytesMax: ANSWER_BYTES_MAX,
    })
    if (reply.status !== 200) {
      if (REFUSALS.has(reply.status)) {
        refusals += 1
        const wantedMs = Number(reply.header('retry-after')) * 1000 || 0
        const pauseMs = Math.max(wantedMs, EVERY_MS * 2 ** refusals)
        askAgainAtMs = now.getTime() + Math.min(pauseMs, PAUSE_MAX_MS)
      }
      throw new Unavailable(`${feed.name} answers with status ${reply.status}`)
    }
    refusals = 0
    const json = parseExactJson(reply.text)
    if (json === null) throw new Unavailable(`${feed.name} sends an unreadable answer`)
    const readings = new Map(feed.read(json.value).map((each) => [each.market, each]))
    // A cache may have kept an answer whose prices have no time of their own.
    const answeredAt = new Date(now.getTime() - (Number(reply.header('age')) * 1000 || 0))
    return symbols.flatMap((symbol) => {
      const reading = readings.get(marketOf(feed, symbol) ?? '')
      const price = readWrittenDecimal(reading?.written ?? null, PRICE_DECIMALS)
      if (reading === undefined || price === null) return []
      return [{ symbol, price: priceOf(price), at: reading.at ?? answeredAt }]
    })
  }

  return {
    feed,
    async ask(symbols) {
      const now = clock.now()
      const known = symbols.filter((symbol) => marketOf(feed, symbol) !== undefined)
      const isNew = refusals === 0 && known.some((symbol) => !asked.includes(symbol))
      // Before the last question, the clock was ahead: nothing waits for the end of that pause.
      const isPaused = now.getTime() >= askedAtMs && now.getTime() < askAgainAtMs
      if (known.length === 0 || (isPaused && !isNew)) return last
      asked = known
      askedAtMs = now.getTime()
      askAgainAtMs = now.getTime() + RETRY_MS
      try {
        last = await call(known, now)
        askAgainAtMs = now.getTime() + EVERY_MS
        complaint = null
      } catch (error) {
        const why = whyOf(error)
        if (why !== complaint) log.warn({ feed: feed.name, why }, 'A price feed fails')
        complaint = why
      }
      return last
    },
  }
}
