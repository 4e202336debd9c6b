import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, usdForUnits, plainDecimal } from '#domain/money.ts'
import { formatDate, formatExact } from '#web/lib/format.ts'
import { baseUnits, wirePrice } from '#web/lib/wire-amount.ts'
import { formatTokens } from '#web/lib/token-amounts.ts'
import type { Tone } from '#web/ui/tone.tsx'
import { receivedAmount, unusedAmount } from './payment-state.ts'

export const statusTones: Record<Transaction['status'], Tone> = {
  completed: 'success',
  expired: 'error',
  failed: 'error',
  pending: 'warning',
  processing: 'info',
}

/** What was paid, or is to be paid, in the payment token and in dollars; null for a reward. */
export function paidAmounts(transaction: Transaction) {
  const crypto =
    transaction.actual_purchase_amount_crypto ?? transaction.initial_purchase_amount_crypto
  const fiat = transaction.actual_purchase_amount_fiat ?? transaction.initial_purchase_amount_fiat
  return { crypto, fiat }
}

const thisYear = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** An instant in the reader's time zone; the year only where it is another one than now. */
export function dateText(instant: string): string {
  const date = new Date(instant)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return isThisYear ? thisYear.format(date) : formatDate(instant)
}

/** Enough for what 15 significant digits of a token amount can hold. */
const TOKEN_DECIMALS = 18

/** What the tokens of a transaction are worth at its own price, in dollars to the cent. */
export function tokensWorth({ tokens, token_price: price }: Transaction): string {
  const units = baseUnits(tokens.total, TOKEN_DECIMALS)
  const value = usdForUnits(units, wirePrice(price), TOKEN_DECIMALS, 'down')
  return formatDecimal((value + 5000n) / 10_000n, 2)
}

/** The figures that the sentences of the payment dialog speak of. */
export function paymentWords(transaction: Transaction, projectSymbol: string) {
  const symbol = transaction.payment_token?.short_name ?? ''
  const due = transaction.payment_amount ?? plainDecimal(paidAmounts(transaction).crypto ?? 0)
  const unused = unusedAmount(transaction)
  return {
    due: `${formatExact(due)} ${symbol}`,
    received: `${formatExact(receivedAmount(transaction))} ${symbol}`,
    unused: unused === null ? null : `${formatExact(unused)} ${symbol}`,
    tokens: `${formatTokens(transaction.tokens.total)} ${projectSymbol}`,
    confirmations: Math.min(transaction.confirmations, transaction.required_confirmations),
    required: transaction.required_confirmations,
  }
}
