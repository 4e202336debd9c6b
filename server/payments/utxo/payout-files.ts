import { Unavailable } from '#domain/unavailable.ts'
import {
  csvFile,
  labelOf,
  linesOf,
  nameOfFile,
  requireSound,
  wholeUnits,
} from '#server/payments/payouts/payout-text.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import type { PayoutBatch, PayoutFile } from '#server/ports/payouts.ts'
import type { Coin } from './coins.ts'

const COMPARE = 'Before you sign, compare the number of outputs and the sum with the manifest.'

/** The files of a coin that need no node, the best one first. */
export function listFormats({ symbol }: Coin): PayoutFormat[] {
  if (symbol === 'BTC') return ['sparrow', 'electrum', 'sendmany', 'csv']
  return symbol === 'LTC' ? ['electrum', 'sendmany', 'csv'] : ['sendmany', 'csv']
}

export function makeListFile(coin: Coin, batch: PayoutBatch, format: PayoutFormat): PayoutFile {
  requireSound(batch)
  const { symbol } = coin
  const { payouts } = batch
  switch (format) {
    case 'sparrow':
      // Sparrow reads amounts in BTC as binary floats and truncates them: 0.29 BTC would be a
      // satoshi short. It reads satoshis exactly. A line without a number passes for a header.
      return {
        name: nameOfFile(batch, '.sparrow.csv'),
        mediaType: 'text/csv',
        text: linesOf([
          'Address,Amount (sats),Label',
          ...payouts.map((each) => `${each.address},${each.amount},${labelOf(each)}`),
        ]),
        note:
          'For “Send to Many” of Sparrow. Amounts are in satoshis: first set the bitcoin unit to ' +
          `sats in Sparrow’s settings. It leaves out lines that it cannot read. ${COMPARE}`,
      }
    case 'electrum':
      return {
        name: nameOfFile(batch, '.electrum.txt'),
        mediaType: 'text/plain',
        text: linesOf(payouts.map((each) => `${each.address}, ${wholeUnits(each)}`)),
        note:
          `For “Pay to many” of Electrum. Amounts are in ${symbol}: first set the base unit to ` +
          `${symbol} in Electrum’s preferences, which start with m${symbol}. ${COMPARE}`,
      }
    case 'sendmany':
      return {
        name: nameOfFile(batch, '.sendmany.json'),
        mediaType: 'application/json',
        text: `${JSON.stringify(amountsByAddress(batch))}\n`,
        note:
          `The second parameter of the call sendmany of a ${coin.chain} node with a wallet; the ` +
          `first is "". ${COMPARE}`,
      }
    case 'csv':
      return csvFile(batch)
    default:
      throw new Error(`There is no file ${format} for ${symbol}.`)
  }
}

/**
 * Nodes pay an address only once in a call, and two payouts must not become one with another
 * amount.
 */
function amountsByAddress({ payouts }: PayoutBatch): Record<string, string> {
  const amounts = Object.fromEntries(payouts.map((each) => [each.address, wholeUnits(each)]))
  if (Object.keys(amounts).length === payouts.length) return amounts
  throw new Unavailable(
    'Two payouts of this batch go to the same address, which sendmany cannot do: use another file',
  )
}
