import type { BonusTokens, BonusType } from '#contract/shapes.ts'
import { bonusTypes } from '#domain/sale/bonus.ts'
import {
  formatDecimal,
  type Price,
  PRICE_DECIMALS,
  unitsForUsd,
  USD_DECIMALS,
  type Usd,
} from '#domain/money.ts'
import { partsThatAddUp, shownDecimals } from '#domain/sale/shown-tokens.ts'
import { formatColumn, valueText } from '#web/lib/format/token-amounts.ts'
import { unitsFromWire } from '#contract/codec.ts'

/** As many as all numbers (specification section 9). */
const PERCENT_DECIMALS = 5

export type BonusLine = { type: BonusType; tokens: string; percent: string }

/** What a purchase gives, as decimal strings that add up to the last digit shown. */
export type Deal = {
  /** The dollars that it is for. */
  spent: Usd
  base: string
  lines: BonusLine[]
  bonusTokens: string
  bonusUsd: string
  bonusPercent: string
  /** Base and bonuses together. */
  total: string
}

/**
 * The deal for an amount of dollars: base tokens, and a line for each bonus (specification section
 * 9: total tokens = (USD + bonus dollars) / token price; bonus percent = bonus tokens × token price
 * × 100 / USD spent).
 */
export function dealOf(
  amount: Usd,
  tokenPrice: Price,
  bonuses: BonusTokens,
  tokenDecimals: number,
): Deal {
  const base = unitsForUsd(amount, tokenPrice, tokenDecimals, 'down')
  const shown = shownTokens(base, bonuses, tokenDecimals)
  const percentOf = (tokens: bigint) => {
    const whole = amount * 10n ** BigInt(tokenDecimals + PRICE_DECIMALS - USD_DECIMALS)
    return percentText(tokens * tokenPrice, whole)
  }
  const exactBonus = sum(shown.lines.map((line) => line.exact))
  return {
    spent: amount,
    base: shown.base,
    lines: shown.lines.map(({ type, tokens, exact }) => ({
      type,
      tokens,
      percent: percentOf(exact),
    })),
    bonusTokens: shown.bonusTokens,
    bonusUsd: valueText(exactBonus, tokenPrice, tokenDecimals),
    bonusPercent: percentOf(exactBonus),
    total: shown.total,
  }
}

/** One format for all token amounts of a deal, wherever they are on the page. */
export function dealFormat({ base, lines, bonusTokens, total }: Deal): (tokens: string) => string {
  return formatColumn([base, bonusTokens, total, ...lines.map((line) => line.tokens)])
}

/** Base tokens and bonuses as decimal strings that add up to their total. */
export function shownTokens(base: bigint, bonuses: BonusTokens, tokenDecimals: number) {
  const types = bonusTypes.filter((type) => (bonuses[type] ?? 0) > 0)
  const exact = types.map((type) => unitsFromWire(bonuses[type] ?? 0, tokenDecimals))
  const unit = 10n ** BigInt(tokenDecimals - shownDecimals([base, ...exact], tokenDecimals))
  const [shownBase = 0n, ...shownBonuses] = partsThatAddUp([base, ...exact], unit)
  const text = (tokens: bigint) => formatDecimal(tokens, tokenDecimals)
  return {
    base: text(shownBase),
    lines: types.map((type, index) => ({
      type,
      tokens: text(shownBonuses[index] ?? 0n),
      exact: exact[index] ?? 0n,
    })),
    bonusTokens: text(sum(shownBonuses)),
    total: text(shownBase + sum(shownBonuses)),
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

/** To the nearest: tokens that were rounded down must not turn 5 % into 4.99999 %. */
function percentText(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0'
  const scale = 100n * 10n ** BigInt(PERCENT_DECIMALS)
  return formatDecimal((part * scale + whole / 2n) / whole, PERCENT_DECIMALS)
}
