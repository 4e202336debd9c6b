import { unitsFromWire, usdFromWire } from '#contract/codec.ts'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, parseDecimal, plainDecimal, USD_DECIMALS } from '#domain/money.ts'
import { receivedAmount, refundState, unusedAmount } from '#web/features/purchase/payment-state.ts'
import { formatExact, formatNumber } from '#web/lib/format/format.ts'
import { formatTokens } from '#web/lib/format/token-amounts.ts'
import { paidAmounts } from './transaction-text.ts'

/** The figures in the sentences of the payment dialog. */
export function paymentWords(transaction: Transaction, projectSymbol: string) {
  const symbol = transaction.payment_token?.short_name ?? ''
  const due = transaction.payment_amount ?? plainDecimal(paidAmounts(transaction).crypto ?? 0)
  const owed = refundsByCoin(transaction).find((coin) => isOwnCoin(transaction, coin))
  // What was credited is a number of the wire, so the difference may lack the last digits.
  const unused = owed?.amount ?? unusedAmount(transaction)
  return {
    due: `${formatExact(due)} ${symbol}`,
    received: `${formatExact(receivedAmount(transaction))} ${symbol}`,
    unused: unused === null ? null : `${formatExact(unused)} ${symbol}`,
    refund: refundState(transaction),
    tokens: `${formatTokens(transaction.tokens.total)} ${projectSymbol}`,
    confirmations: Math.min(transaction.confirmations, transaction.required_confirmations),
    required: transaction.required_confirmations,
  }
}

const CENT = 10n ** BigInt(USD_DECIMALS - 2)

/**
 * What is still due in dollars, to the cent, as a decimal string: the same share of the purchase's
 * dollars as of its amount due. Null if nothing is due.
 */
export function dueUsd(transaction: Transaction): string | null {
  const {
    payment_token: token,
    payment_amount: due,
    initial_purchase_amount_crypto: crypto,
    initial_purchase_amount_fiat: fiat,
  } = transaction
  if (token === null || due === null || crypto === null || fiat === null) return null
  const whole = unitsFromWire(crypto, token.decimals)
  const part = parseDecimal(due, token.decimals) ?? 0n
  if (whole === 0n || part === 0n) return null
  const usd = usdFromWire(fiat)
  if (part === whole) return formatDecimal(usd, USD_DECIMALS)
  const unit = whole * CENT
  const cents = (usd * part + unit / 2n) / unit
  return formatDecimal(cents * CENT, USD_DECIMALS)
}

/**
 * What was paid, or is to be paid, in the payment token, with every digit: the figure that the
 * buyer sent. Null for a reward.
 */
export function paidExactly(transaction: Transaction): string | null {
  const { crypto } = paidAmounts(transaction)
  if (crypto === null) return null
  const isAllUsed = transaction.status === 'completed' && unusedAmount(transaction) === null
  return isAllUsed ? receivedAmount(transaction) : plainDecimal(crypto)
}

export interface Arrival {
  /** Exact amounts in the payment token. */
  received: string
  whole: string
  /** From 0 to 100, with one decimal. */
  percent: number
  /** For a person: `25%`, and `<0.1%` for what is less. */
  share: string
}

/** How much of the amount due has arrived; null if nothing has, or it is no longer awaited. */
export function arrivalOf(transaction: Transaction): Arrival | null {
  const { status, receipts, payment_token: token, payment_amount: due } = transaction
  const isUnderWay = status === 'pending' || status === 'processing'
  const asked = transaction.initial_purchase_amount_crypto
  if (!isUnderWay || receipts.length === 0 || token === null || asked === null) return null
  const { decimals } = token
  const received = parseDecimal(receivedAmount(transaction), decimals) ?? 0n
  const left = parseDecimal(due ?? '0', decimals) ?? 0n
  const whole = left > 0n ? received + left : unitsFromWire(asked, decimals)
  if (received === 0n || whole === 0n) return null
  const tenths = (received * 1000n) / whole
  const percent = Math.min(100, Number(tenths) / 10)
  return {
    received: formatDecimal(received, decimals),
    whole: formatDecimal(whole, decimals),
    percent,
    share: percent === 0 ? '<0.1%' : `${formatNumber(percent)}%`,
  }
}

type WireRefund = Transaction['refunds'][number]

/** Refunds in one coin: what is due, and what was sent by which transactions. */
export interface CoinRefund {
  /** Both null for a coin that the sale does not know. */
  symbol: string | null
  chain: string | null
  /** All of it, exactly. */
  amount: string
  /** Null if nothing is due. */
  due: string | null
  sent: readonly WireRefund[]
}

/** The refunds of a purchase by coin: the same symbol on another chain is another coin. */
export function refundsByCoin({ refunds }: Pick<Transaction, 'refunds'>): CoinRefund[] {
  const coins = refunds.filter(
    (refund, index) => refunds.findIndex((other) => isSameCoin(other, refund)) === index,
  )
  return coins.map(({ symbol, chain }) => {
    const ofCoin = refunds.filter((refund) => isSameCoin(refund, { symbol, chain }))
    const due = ofCoin.filter(({ status }) => status === 'due')
    return {
      symbol,
      chain,
      amount: addDecimals(ofCoin),
      due: due.length === 0 ? null : addDecimals(due),
      sent: ofCoin.filter(({ status }) => status === 'paid'),
    }
  })
}

type Coin = Pick<WireRefund, 'symbol' | 'chain'>

function isSameCoin(one: Coin, other: Coin): boolean {
  return one.symbol === other.symbol && one.chain === other.chain
}

/** Whether money came in the coin that the purchase asked for. */
export function isOwnCoin({ payment_token: token }: Transaction, coin: Coin): boolean {
  return token !== null && isSameCoin({ symbol: token.short_name, chain: token.chain }, coin)
}

function addDecimals(parts: readonly { amount: string }[]): string {
  const decimals = Math.max(0, ...parts.map(({ amount }) => amount.split('.')[1]?.length ?? 0))
  const sum = parts.reduce(
    (total, { amount }) => total + (parseDecimal(amount, decimals) ?? 0n),
    0n,
  )
  return formatDecimal(sum, decimals)
}
