import { formatDecimal, multiplyDivide, parseDecimal } from '#domain/money.ts'

/** Every payment token has at least these, so half of an amount can be written with them. */
const DECIMALS_LEAST = 6

/** An amount times a fraction, cut to decimals that every chain can carry; null for no number. */
export function scaleAmount(text: string, numerator: bigint, denominator: bigint): string | null {
  const decimals = Math.max(DECIMALS_LEAST, text.split('.')[1]?.length ?? 0)
  const units = parseDecimal(text, decimals)
  if (units === null || units === 0n) return null
  return formatDecimal(multiplyDivide(units, numerator, denominator, 'down'), decimals)
}
