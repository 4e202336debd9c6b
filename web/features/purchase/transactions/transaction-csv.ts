import { unitsFromWire } from '#contract/codec.ts'
import type { Transaction } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatDecimal, plainDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { paidPrice, receivedAmount } from '#web/features/purchase/payment-state.ts'
import { WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'

const columns = [
  'number',
  'type',
  'status',
  'made',
  'completed',
  'coin',
  'network',
  'asked',
  'askedUsd',
  'arrived',
  'creditedUsd',
  'price',
  'tokens',
  'bonus',
  'total',
  'token',
  'refunds',
  'hashes',
] as const
type Column = (typeof columns)[number]

/** With this mark, spreadsheets recognise the text as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Transactions as a table of exact figures: instants in UTC, every decimal with a point and without
 * separators, whatever the language of the headings.
 */
export function transactionsCsv(
  transactions: readonly Transaction[],
  projectSymbol: string,
  headings: Readonly<Record<Column, string>>,
): string {
  const lines = [
    headings,
    ...transactions.map((transaction) => cellsOf(transaction, projectSymbol)),
  ].map((cells) => columns.map((column) => quoted(cells[column])).join(','))
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`
}

/** Only what was credited may count in a sum of the column. */
const NOTHING = { base: 0, bonuses: {}, total: 0 }

function cellsOf(transaction: Transaction, projectSymbol: string): Record<Column, string> {
  const { payment_token: coin, status } = transaction
  const tokens = status === 'completed' ? transaction.tokens : NOTHING
  return {
    number: transaction.id,
    type: transaction.type,
    status,
    made: transaction.created_date,
    completed: transaction.completed_date ?? '',
    coin: coin?.short_name ?? '',
    network: coin === null ? '' : networkName(coin),
    asked: decimal(transaction.initial_purchase_amount_crypto),
    askedUsd: decimal(transaction.initial_purchase_amount_fiat),
    arrived: coin === null ? '' : receivedAmount(transaction),
    creditedUsd: decimal(transaction.actual_purchase_amount_fiat),
    price: formatDecimal(paidPrice(transaction).price, PRICE_DECIMALS),
    tokens: decimal(tokens.base),
    bonus: sumOf(Object.values(tokens.bonuses)),
    total: decimal(tokens.total),
    token: projectSymbol,
    refunds: transaction.refunds
      .map(
        ({ amount, sent_amount: sent, symbol, status }) =>
          `${sent ?? amount} ${symbol ?? '?'} ${status}`,
      )
      .join('; '),
    hashes: transaction.receipts.flatMap(({ transaction_hash: hash }) => hash ?? []).join('; '),
  }
}

function decimal(value: number | null): string {
  return value === null ? '' : plainDecimal(value)
}

function sumOf(amounts: readonly number[]): string {
  const units = amounts.map((amount) => unitsFromWire(amount, WIRE_DECIMALS))
  return formatDecimal(
    units.reduce((sum, part) => sum + part, 0n),
    WIRE_DECIMALS,
  )
}

/** What a spreadsheet would evaluate as a formula, whoever wrote it. */
const FORMULA = /^\s*[=+\-@]|^[\t\r]/

/** One cell; an apostrophe before a formula makes it text. */
function quoted(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
