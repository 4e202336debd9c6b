import {
  type CryptoAmount,
  formatDecimal,
  groupThousands,
  type TokenAmount,
  tokenAmount,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { PaymentToken, Project } from '#domain/sale/sale.ts'
import { partsThatAddUp, shownDecimals } from '#domain/sale/shown-tokens.ts'

const DOLLAR = 10n ** BigInt(USD_DECIMALS)
const CENT = DOLLAR / 100n

/** `$1,000`, `$1,234.50`, `$66.666667`: exact, as money is never rounded in a refusal. */
export function usdText(amount: Usd): string {
  return `$${groupThousands(withCents(formatDecimal(amount, USD_DECIMALS)))}`
}

/**
 * `$1,000`, `$1,234.50`: to the nearest cent, or exactly below one. As on the pages, only whole
 * dollars are written without cents.
 */
export function centsText(amount: Usd): string {
  if (amount < CENT || amount % DOLLAR === 0n) return usdText(amount)
  const [whole, fraction = '00'] = formatDecimal((amount + CENT / 2n) / CENT, 2).split('.')
  return `$${groupThousands(withCents(`${whole}.${fraction}`))}`
}

/** Nobody writes `$12.5`. */
function withCents(decimal: string): string {
  const [whole, fraction] = decimal.split('.')
  return fraction === undefined ? decimal : `${whole}.${fraction.padEnd(2, '0')}`
}

/** `0.0412 ETH`, exact: it is the amount to send. No separators, so that it can be copied. */
export function cryptoText(
  amount: CryptoAmount,
  { decimals, symbol }: Pick<PaymentToken, 'decimals' | 'symbol'>,
): string {
  return `${formatDecimal(amount, decimals)} ${symbol}`
}

/** `2,500,000.25 HUH`, cut as the page cuts it. */
export function tokensText(
  amount: TokenAmount,
  { decimals, symbol }: Pick<Project, 'decimals' | 'symbol'>,
): string {
  const [shown = ''] = tokenColumn([amount], decimals)
  return `${shown} ${symbol}`
}

/**
 * Amounts of tokens in a column, ending with their total. All have as many decimals as `main`, so
 * that they visibly add up.
 */
export function tokenColumn(
  amounts: readonly TokenAmount[],
  decimals: number,
  main: TokenAmount = amounts[0] ?? tokenAmount(0n),
): string[] {
  const unit = 10n ** BigInt(decimals - shownDecimals([main, ...amounts], decimals))
  const parts = partsThatAddUp(amounts, unit)
  const total = parts.reduce((sum, part) => sum + part, 0n)
  const texts = [...parts, total].map((part) => formatDecimal(part, decimals).split('.'))
  const most = Math.max(...texts.map(([, fraction = '']) => fraction.length))
  const shown = most === 1 ? 2 : most
  return texts.map(([whole = '0', fraction = '']) =>
    groupThousands(shown === 0 ? whole : `${whole}.${fraction.padEnd(shown, '0')}`),
  )
}
