import { unitsFromWire } from '#contract/codec.ts'
import type { User } from '#contract/shapes.ts'
import { formatDecimal } from '#domain/money.ts'
import { shownDecimals } from '#domain/sale/shown-tokens.ts'
import { formatColumn, WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'

/**
 * Bought and bonus tokens as they are shown below their total. All are cut to the decimals of the
 * total, and the bonus is the difference, so that what is shown adds up.
 */
export function balanceParts({ base, total }: User['tokens']): { base: string; bonuses: string } {
  const all = unitsFromWire(total, WIRE_DECIMALS)
  const unit = 10n ** BigInt(WIRE_DECIMALS - shownDecimals([all], WIRE_DECIMALS))
  const cut = (units: bigint) => units - (units % unit)
  const bought = cut(unitsFromWire(base, WIRE_DECIMALS))
  const shown = {
    base: formatDecimal(bought, WIRE_DECIMALS),
    bonuses: formatDecimal(cut(all) - bought, WIRE_DECIMALS),
  }
  const format = formatColumn(Object.values(shown))
  return { base: format(shown.base), bonuses: format(shown.bonuses) }
}
