import type { Sale } from '#domain/sale/sale.ts'
import { type ConfirmationRule, parseConfirmations } from '#server/payments/chains/confirmations.ts'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { type KeyOrigin, parseKeyOrigin } from '#server/payments/keys/key-origin.ts'
import { parseNodeUrls } from '#server/payments/chains/nodes/node-urls.ts'
import { Fault, listUnset, parseGraceSeconds, type Variables } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { type Coin, coinOf, coins, testCoins } from './coins.ts'

export type UtxoSettings = readonly CoinSettings[]

export type CoinSettings = Readonly<{
  coin: Coin
  key: ExtendedKey | null
  /**
   * Null if it is not set: then no PSBT can be made, since signers would not recognise their keys
   * in it.
   */
  origin: KeyOrigin | null
  /** Empty if none is set; the later ones stand in for the first. */
  nodeUrls: readonly Secret[]
  confirmations: ConfirmationRule
  /**
   * Zero unless it is set, since the node says since when a payment waits; only payments out of
   * Litecoin's MWEB are first seen in a block.
   */
  graceSeconds: number
}>

const keyName = ({ symbol }: Coin) => `${symbol}_XPUB`
const networkName = ({ symbol }: Coin) => `${symbol}_NETWORK`
const urlName = ({ symbol }: Coin) => `${symbol}_RPC_URL`

export function readUtxoSettings(variables: Variables): UtxoSettings {
  return coins.map((main): CoinSettings => {
    const coin = variables.read(networkName(main), main, (text) => parseNetwork(main, text))
    const { symbol, prefixes, path } = coin
    const name = keyName(coin)
    return {
      coin,
      key: variables.read<ExtendedKey | null>(name, null, (text) =>
        parseExtendedKey(text, { name, prefixes, path }),
      ),
      // Dogecoin's wallets do not support PSBTs.
      origin:
        coin.output === 'pkh'
          ? null
          : variables.read<KeyOrigin | null>(`${symbol}_KEY_ORIGIN`, null, (text) =>
              parseKeyOrigin(text, path),
            ),
      nodeUrls: variables.read(urlName(coin), [], parseNodeUrls),
      confirmations: variables.read(
        `${symbol}_CONFIRMATIONS`,
        coin.confirmations,
        parseConfirmations,
      ),
      graceSeconds: variables.read(`${symbol}_GRACE_SECONDS`, 0, parseGraceSeconds),
    }
  })
}

function parseNetwork({ symbol }: Coin, text: string): Coin | Fault {
  const known = testCoins.filter((each) => each.symbol === symbol)
  const names = known.map(({ testNetwork }) => testNetwork).join(' or ')
  const coin = known.find(({ testNetwork }) => testNetwork === text)
  return coin ?? new Fault(`must be ${names}, or left out for the network of real coins`)
}

/** The settings that the sale needs and that are not set, each as a sentence. */
export function listMissingForUtxo(settings: UtxoSettings, { paymentTokens }: Sale): string[] {
  const taken = paymentTokens.filter(({ rail }) => rail === 'utxo').map(coinOf)
  const needed = settings.filter(({ coin }) => taken.includes(coin))
  return [
    ...taken.flatMap((coin) => otherNetwork(settings, coin)),
    ...needed.flatMap(({ coin, key, nodeUrls }) =>
      listUnset(
        { [keyName(coin)]: key, [urlName(coin)]: nodeUrls },
        `the sale takes ${coin.symbol}`,
      ),
    ),
  ]
}

/** Keys and nodes of one network say nothing about another. */
function otherNetwork(settings: UtxoSettings, coin: Coin): string[] {
  const { symbol, testNetwork } = coin
  if (settings.some((each) => each.coin === coin)) return []
  const which = testNetwork === null ? 'must not be set' : `must be ${testNetwork}`
  const what = testNetwork === null ? `real ${symbol}` : `${symbol} of that test network`
  return [`${networkName(coin)} ${which}: the sale takes ${what}`]
}
