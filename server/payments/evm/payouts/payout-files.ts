import {
  csvFile,
  linesOf,
  nameOfFile,
  requireSound,
  wholeUnits,
} from '#server/payments/payouts/payout-text.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import type { PayoutBatch, PayoutFile } from '#server/ports/payouts.ts'
import { safeTransactions } from './safe-transactions.ts'

export const evmFormats = ['safe_csv', 'safe_transactions', 'csv'] as const satisfies PayoutFormat[]

const COMPARE = 'Before you sign, compare the number of transfers and the sums with the manifest.'
/** They leave no log; a Safe reports that the whole transaction was a success. */
const NAME_IT =
  'Some of it is in the chain’s own coin: name the transaction once it is executed, or that part is ' +
  'not found.'

export async function makeEvmFile(
  chainId: number,
  batch: PayoutBatch,
  format: PayoutFormat,
): Promise<PayoutFile> {
  requireSound(batch)
  const hasCoins = batch.payouts.some(({ paymentToken }) => paymentToken.contract === null)
  const mind = hasCoins ? `${COMPARE} ${NAME_IT}` : COMPARE
  switch (format) {
    case 'safe_csv':
      return {
        name: nameOfFile(batch, '.safe.csv'),
        mediaType: 'text/csv',
        text: safeCsv(batch),
        note: `For the app “CSV Airdrop” of a Safe on chain ${chainId}. ${mind}`,
      }
    case 'safe_transactions':
      return {
        name: nameOfFile(batch, '.safe.json'),
        mediaType: 'application/json',
        text: await safeTransactions({
          chainId,
          createdAt: batch.createdAt,
          name: `Payouts ${batch.id}`,
          description: `${batch.payouts.length} transfers`,
          transfers: batch.payouts.map(({ address, amount, paymentToken: { contract } }) => ({
            address,
            amount,
            contract,
          })),
        }),
        note: `For the “Transaction Builder” of a Safe on chain ${chainId}. ${mind}`,
      }
    case 'csv':
      return csvFile(batch)
    default:
      throw new Error(`There is no file ${format} for EVM chains.`)
  }
}

/**
 * As the Safe app “CSV Airdrop” (bh2smith/safe-airdrop) reads it: exactly these columns, amounts in
 * whole units, no address for the chain's own coin. It reads at most 500 lines.
 */
function safeCsv({ payouts }: PayoutBatch): string {
  return linesOf([
    'token_type,token_address,receiver,amount,id',
    ...payouts.map((payout) => {
      const { contract } = payout.paymentToken
      const token = contract === null ? 'native,' : `erc20,${contract}`
      return `${token},${payout.address},${wholeUnits(payout)},`
    }),
  ])
}
