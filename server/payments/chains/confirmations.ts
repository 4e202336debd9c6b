import { parseDecimal, type Usd, usd, USD_DECIMALS } from '#domain/money.ts'
import { Fault } from '#server/payments/variables.ts'

/** How many confirmations a payment needs, rising with its value in dollars. */
export type ConfirmationRule = readonly { from: Usd; count: number }[]

const COUNT_MAX = 10_000

/** A rule made of steps in whole dollars, the first of which is from 0 on. */
export function confirmationRule(
  ...steps: readonly [fromDollars: bigint, count: number][]
): ConfirmationRule {
  return steps.map(([dollars, count]) => ({
    from: usd(dollars * 10n ** BigInt(USD_DECIMALS)),
    count,
  }))
}

/** @param value Null if nobody knows it: then as many as the dearest payment needs. */
export function confirmationsFor(steps: ConfirmationRule, value: Usd | null): number {
  return steps.findLast(({ from }) => value === null || value >= from)?.count ?? 1
}

/** Reads `12 10000:32 100000:96`: 12 confirmations, 32 from $10,000, 96 from $100,000. */
export function parseConfirmations(text: string): ConfirmationRule | Fault {
  const steps = text
    .trim()
    .split(/[\s,]+/)
    .map(parseStep)
  const whole = steps.filter((step) => step !== null)
  const isRising = whole.every(({ from, count }, place) => {
    const last = whole[place - 1]
    return last === undefined ? from === 0n : from > last.from && count >= last.count
  })
  if (whole.length === steps.length && isRising) return whole
  return new Fault(
    'must be a number of confirmations, and larger ones with the dollars from which they hold, ' +
      'such as 12 10000:32 100000:96',
  )
}

function parseStep(text: string): ConfirmationRule[number] | null {
  const [, dollars = '0', digits = ''] = /^(?:([\d.]+):)?(\d{1,5})$/.exec(text) ?? []
  const from = parseDecimal(dollars, USD_DECIMALS)
  const count = Number(digits)
  if (from === null || digits === '' || count < 1 || count > COUNT_MAX) return null
  return { from: usd(from), count }
}
