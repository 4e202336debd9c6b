import { exactText, isExactRecord } from '#domain/exact-json.ts'
import { OWN_FEED } from '#domain/sale/fresh-price.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Feed } from './feeds.ts'

export type OwnFeedSettings = Readonly<{
  /** Asked for all symbols at once, which are added to its query as `symbols=ETH,XYZ`. */
  url: string
  /** Sent as a bearer token. */
  token: Secret | null
}>

/**
 * The seller's own feed. It answers with what it knows of the symbols, in dollars: `{"prices":
 * {"XYZ": {"usd": "0.0123", "at": "2026-11-23T00:00:00Z"}}}`. Numbers are read digit by digit, as
 * text or as JSON numbers; without `at` a price is as old as the answer.
 */
export function ownFeed({ url, token }: OwnFeedSettings): Feed {
  const base = new URL(url)
  return {
    name: OWN_FEED,
    origin: base.origin,
    currency: 'USD',
    markets: 'any',
    headers: token === null ? {} : { authorization: `Bearer ${token.reveal()}` },
    path(symbols) {
      const asked = new URL(base)
      asked.searchParams.set('symbols', symbols.join(','))
      return asked.pathname + asked.search
    },
    read(answer) {
      const prices = isExactRecord(answer) ? answer['prices'] : null
      if (!isExactRecord(prices))
        throw new Unavailable('Your own price feed answers without prices')
      return Object.entries(prices).map(([market, given]) => {
        const { usd, at } = isExactRecord(given) ? given : {}
        const instant = exactText(at)
        return { market, written: exactText(usd), at: instant === null ? null : new Date(instant) }
      })
    },
  }
}
