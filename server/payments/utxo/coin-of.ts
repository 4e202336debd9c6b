import { bitcoinChain } from '#domain/chains/chain.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { type Coin, coins } from './coins.ts'

/** The coin of a payment token; the sale file's reader lets no token of this rail have none. */
export function coinOf({ id, chain }: Pick<PaymentToken, 'id' | 'chain'>): Coin {
  const name = bitcoinChain(chain)?.scheme
  const coin = coins.find((each) => each.chain === name)
  if (coin === undefined) throw new Error(`The payment token ${id} is no coin of the rail utxo.`)
  return coin
}
