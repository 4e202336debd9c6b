import { csvLine } from '#domain/csv-line.ts'
import { formatDecimal } from '#domain/money.ts'

type Row = {
  /** Of the claim. */
  id: string
  address: string
  amount: bigint
  paymentToken: { id: string; symbol: string; decimals: number }
}

type Batch = { id: bigint; chain: string; createdAt: Date; payouts: readonly Row[] }

/** A batch's payouts for somebody who makes them by hand: a line each, amounts in whole units. */
export function payoutsCsv({ chain, payouts }: Batch): string {
  const rows = payouts.map(({ id, address, amount, paymentToken }) => {
    const { symbol, decimals } = paymentToken
    return [id, chain, symbol, address, formatDecimal(amount, decimals)]
  })
  return [['claim', 'chain', 'symbol', 'address', 'amount'], ...rows].map(csvLine).join('')
}
