import { formatDecimal } from '#domain/money.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { unitsFromWire } from '#contract/codec.ts'

const SHARE_DECIMALS = 2
const TOKEN_DECIMALS = 18

/**
 * How much of a stage is sold, in percent. Rounded down, so that 100 is said only when nothing is
 * left; a first sale too small for that is said to be below the smallest share.
 */
export function soldShare(sold: number, total: number): string {
  const whole = unitsFromWire(total, TOKEN_DECIMALS)
  const part = unitsFromWire(sold, TOKEN_DECIMALS)
  if (whole === 0n || part === 0n) return '0%'
  const share = (part * 10n ** BigInt(2 + SHARE_DECIMALS)) / whole
  const isTiny = share === 0n
  return `${isTiny ? '<' : ''}${formatNumber(formatDecimal(isTiny ? 1n : share, SHARE_DECIMALS))}%`
}
