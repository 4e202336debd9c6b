import { payoutsCsv } from '#domain/refunds/payout-files.ts'
import { formatDecimal } from '#domain/money.ts'
import {
  PAYOUTS_A_BATCH_MAX,
  type Payout,
  type PayoutBatch,
  type PayoutFile,
} from '#server/ports/payouts.ts'

/** An amount in whole units, as wallets read it: a point, no exponent, no separators. */
export function wholeUnits({ amount, paymentToken }: Payout): string {
  return formatDecimal(amount, paymentToken.decimals)
}

/**
 * A name that a wallet shows for a payout. Only this server chooses its letters, so that no
 * spreadsheet takes it for a formula and no parser for two cells.
 */
export function labelOf({ id }: Payout): string {
  if (!/^[\da-f-]{1,64}$/i.test(id)) throw new Error('A payout has the id of its claim.')
  return `Refund ${id}`
}

/** Lines with line ends; no byte-order mark and no quotes. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

export function nameOfFile({ id, chain }: PayoutBatch, rest: string): string {
  return `payouts-${id}-${chain.replaceAll(':', '-')}${rest}`
}

/** Throws if a batch has no payouts, one of zero, or too many for one transaction. */
export function requireSound({ id, payouts }: PayoutBatch): void {
  const isSound =
    payouts.length > 0 &&
    payouts.length <= PAYOUTS_A_BATCH_MAX &&
    payouts.every(({ amount }) => amount > 0n)
  if (!isSound) throw new Error(`The payouts of batch ${id} do not fit into a file.`)
}

/** For people, whatever wallet they have. */
export function csvFile(batch: PayoutBatch): PayoutFile {
  return {
    name: nameOfFile(batch, '.csv'),
    mediaType: 'text/csv',
    text: payoutsCsv(batch),
    note: 'To send by hand, line by line, each exactly its amount.',
  }
}
