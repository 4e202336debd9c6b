import {
  type CryptoAmount,
  formatDecimal,
  type TokenAmount,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { PaymentToken, Project } from '#domain/sale/sale.ts'

/** `$1,234.5`, exact: money is never rounded in a sentence. */
export function usdText(amount: Usd): string {
  return `$${grouped(formatDecimal(amount, USD_DECIMALS))}`
}

/** `0.0412 ETH`, exact: it is what has to be sent. No separators, so that it can be copied. */
export function cryptoText(
  amount: CryptoAmount,
  { decimals, symbol }: Pick<PaymentToken, 'decimals' | 'symbol'>,
): string {
  return `${formatDecimal(amount, decimals)} ${symbol}`
}

/** `2,500,000.25 HUH`, cut to two decimals. */
export function tokensText(
  amount: TokenAmount,
  { decimals, symbol }: Pick<Project, 'decimals' | 'symbol'>,
): string {
  const [whole = '0', fraction = ''] = formatDecimal(amount, decimals).split('.')
  const cut = fraction.slice(0, 2).replace(/0+$/, '')
  return `${grouped(cut === '' ? whole : `${whole}.${cut}`)} ${symbol}`
}

const instantFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** `21 November 2026 at 14:05 UTC`. */
export function instantText(instant: Date): string {
  return `${instantFormat.format(instant)} UTC`
}

function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const separated = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? separated : `${separated}.${fraction}`
}
