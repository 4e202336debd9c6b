import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { TOKEN_DECIMALS } from '#tests/kit/builders/domain-builders.ts'
import type { FateEnd } from './fate.ts'
import { usualBonuses } from './fate.ts'
import { Fraction } from '#tests/kit/model/fraction.ts'

/** The complete end of a story: amounts as plain decimals, bonuses in tokens. */
export type FullEnd = Required<FateEnd>

/** A {@link FateEnd} with its defaults filled in. Bonuses are computed here with fractions only. */
export function writtenOut(end: FateEnd): FullEnd {
  const base = parseDecimal(end.base ?? '0', TOKEN_DECIMALS) ?? 0n
  const percentages = base === 0n ? {} : (end.bonuses ?? usualBonuses)
  const bonuses = Object.entries(percentages).map(([type, percentage]) => {
    const share = new Fraction(BigInt(percentage), 100n)
    return [type, new Fraction(base).times(share).wholeUnits(0)] as const
  })
  const total = bonuses.reduce((sum, [, tokens]) => sum + tokens, base)
  return {
    status: end.status,
    reason: end.reason ?? '',
    due: end.due ?? '0',
    held: end.held ?? '0',
    usd: end.usd ?? '0',
    ether: end.ether ?? '0',
    base: end.base ?? '0',
    bonuses: inTokens(Object.fromEntries(bonuses)),
    stages: end.stages ?? (total === 0n ? {} : inTokens({ 'stage-1': total })),
    refunds: end.refunds ?? {},
  }
}

/** Amounts of tokens by name, as plain decimals. */
export function inTokens(amounts: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, formatDecimal(amount, TOKEN_DECIMALS)]),
  )
}
