import type { OwedRefund } from '#contract/refunds.ts'
import type { PaymentToken } from '#contract/shapes.ts'
import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { formatCoins, formatExact } from '#web/lib/format/format.ts'

/** An amount with the name of its coin, every digit of it. */
export function inCoin(amount: string, { short_name: symbol }: Pick<PaymentToken, 'short_name'>) {
  return `${formatExact(amount)} ${symbol}`
}

/** The same to read it quickly, with as many digits as payments have. */
export function inCoins(amount: string, { short_name: symbol }: Pick<PaymentToken, 'short_name'>) {
  return `${formatCoins(amount)} ${symbol}`
}

/** What arrives of an amount that is owed, once the network's fee is taken off. */
export function paysOf(
  { amount, fee }: Pick<OwedRefund, 'amount' | 'fee'>,
  { decimals }: Pick<PaymentToken, 'decimals'>,
): string {
  const units = (text: string) => parseDecimal(text, decimals) ?? 0n
  return formatDecimal(units(amount) - units(fee), decimals)
}

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount)
}
