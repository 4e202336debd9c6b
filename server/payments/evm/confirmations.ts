import { parseDecimal, type Usd, usd, USD_DECIMALS } from '#domain/money.ts'
import { Fault } from '#server/payments/variables.ts'

/** How many confirmations a payment needs, rising with its worth in dollars. */
export type ConfirmationRule = readonly { from: Usd; count: number }[]

const COUNT_MAX = 10_000

const rule = (...steps: [fromDollars: bigint, count: number][]): ConfirmationRule =>
  steps.map(([dollars, count]) => ({ from: usd(dollars * 10n ** BigInt(USD_DECIMALS)), count }))

/** By chain id. Ethereum finalises after 64 to 95 blocks; Polygon once replaced 157 of them. */
const DEFAULTS: ReadonlyMap<number, ConfirmationRule> = new Map([
  [1, rule([0n, 12], [10_000n, 32], [100_000n, 96])],
  [56, rule([0n, 20], [10_000n, 60], [100_000n, 200])],
  [137, rule([0n, 64], [10_000n, 200], [100_000n, 400])],
])
const DEFAULT = rule([0n, 32], [10_000n, 96], [100_000n, 200])

export function defaultConfirmations(chainId: number): ConfirmationRule {
  return DEFAULTS.get(chainId) ?? DEFAULT
}

export function confirmationsFor(steps: ConfirmationRule, worth: Usd): number {
  return steps.findLast(({ from }) => worth >= from)?.count ?? 1
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
