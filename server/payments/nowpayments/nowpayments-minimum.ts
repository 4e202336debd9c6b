import { exactText, isExactRecord, readWrittenDecimal } from '#domain/exact-json.ts'
import { type Usd, usd, USD_DECIMALS } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { Log } from '#server/ports/runtime.ts'
import { callNowpayments, type NowpaymentsAccess } from './nowpayments-api.ts'
import { whyOf } from '#domain/unavailable.ts'

const FRESH_MS = 10 * 60_000
const RETRY_MS = 60_000

type Known = { minimum: Usd | null; askAgainAtMs: number }

/**
 * NOWPayments' minimum in dollars, which depends on the coin and on the account's payout wallet. It
 * is cached for ten minutes; while it cannot be fetched, the last one applies.
 */
export function createNowpaymentsMinimum(access: NowpaymentsAccess, log: Log) {
  const known = new Map<string, Known>()
  const underWay = new Map<string, Promise<Usd | null>>()

  async function learn(code: string, last: Usd | null): Promise<Usd | null> {
    const path = `/min-amount?currency_from=${encodeURIComponent(code)}&fiat_equivalent=usd`
    let minimum = last
    let againMs = RETRY_MS
    try {
      const answer = await callNowpayments(access, 'GET', path)
      const text = isExactRecord(answer) ? exactText(answer['fiat_equivalent']) : null
      const units = readWrittenDecimal(text, USD_DECIMALS)
      // It is truncated to a millionth of a dollar: one more is certain to be enough.
      if (units !== null) minimum = usd(units + 1n)
      if (units !== null) againMs = FRESH_MS
    } catch (error) {
      const why = whyOf(error)
      log.warn({ gateway: 'nowpayments', code, why }, 'A minimum could not be read')
    }
    known.set(code, { minimum, askAgainAtMs: performance.now() + againMs })
    return minimum
  }

  return async ({ providerIds }: PaymentToken): Promise<Usd | null> => {
    const code = providerIds['nowpayments'] ?? ''
    const last = known.get(code)
    if (last !== undefined && performance.now() < last.askAgainAtMs) return last.minimum
    const asking = underWay.get(code) ?? learn(code, last?.minimum ?? null)
    underWay.set(code, asking)
    try {
      return await asking
    } finally {
      underWay.delete(code)
    }
  }
}
