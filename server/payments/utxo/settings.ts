import type { Sale } from '#domain/sale/sale.ts'
import { type ConfirmationRule, parseConfirmations } from '#server/payments/chains/confirmations.ts'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { parseNodeUrls } from '#server/payments/chains/nodes/node-urls.ts'
import type { Variables } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { type Coin, coinOf, coins } from './coins.ts'

/** The settings of the rail `utxo`, by coin. */
export type UtxoSettings = readonly CoinSettings[]

export type CoinSettings = Readonly<{
  coin: Coin
  key: ExtendedKey | null
  /** Empty where none is set; the later ones stand in for the first. */
  nodeUrls: readonly Secret[]
  confirmations: ConfirmationRule
}>

const keyName = ({ symbol }: Coin) => `${symbol}_XPUB`
const urlName = ({ symbol }: Coin) => `${symbol}_RPC_URL`

export function readUtxoSettings(variables: Variables): UtxoSettings {
  return coins.map((coin): CoinSettings => {
    const { symbol, prefixes, path } = coin
    const name = keyName(coin)
    return {
      coin,
      key: variables.read<ExtendedKey | null>(name, null, (text) =>
        parseExtendedKey(text, { name, prefixes, path }),
      ),
      nodeUrls: variables.read(urlName(coin), [], parseNodeUrls),
      confirmations: variables.read(
        `${symbol}_CONFIRMATIONS`,
        coin.confirmations,
        parseConfirmations,
      ),
    }
  })
}

/** The settings that the sale needs and that are not set, each as a sentence. */
export function listMissingForUtxo(settings: UtxoSettings, { paymentTokens }: Sale): string[] {
  const taken = new Set(paymentTokens.filter(({ rail }) => rail === 'utxo').map(coinOf))
  return settings
    .filter(({ coin }) => taken.has(coin))
    .flatMap(({ coin, key, nodeUrls }) => {
      const needed = `must be set: the sale takes ${coin.symbol}`
      return [
        ...(key === null ? [`${keyName(coin)} ${needed}`] : []),
        ...(nodeUrls.length === 0 ? [`${urlName(coin)} ${needed}`] : []),
      ]
    })
}
