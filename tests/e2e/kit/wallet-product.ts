import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

import { keysOfWallet } from '#tools/keys/wallet-keys.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { buyingSaleFile } from './buying-sale.ts'
import { type Product, startProduct } from './product.ts'
import { test as base } from './test.ts'
import { reroutedTo, startPriceFeeds } from '#tests/kit/servers/price-feed-servers.ts'
import { startSmtpServer } from '#tests/kit/servers/smtp-server.ts'
import { createTestClock } from '#tests/kit/servers/test-clock.ts'

/** The whole product as an operator runs it for real payments, on the test's own chain. */
export type ProductOnChain = Product & {
  /** Mines only on request. */
  chain: Anvil
  /** The contract of the token that the sale knows as USDT. */
  usdt: string
  /** The words of the wallet at which it is paid. */
  words: string
}

/** Where the product's money is swept; nobody owns it. */
export const TREASURY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Confirmations that a payment needs here. */
export const CONFIRMATIONS = 2

/** What was started, to be stopped in reverse order. */
type Ends = (() => Promise<unknown>)[]

async function startOnChain(ends: Ends, sale: string): Promise<Omit<ProductOnChain, 'stop'>> {
  const chain = await startAnvil()
  ends.push(() => chain.stop())
  const usdt = await chain.deployToken()
  const feeds = await startPriceFeeds(createTestClock())
  ends.push(() => feeds.stop())
  const smtp = await startSmtpServer()
  ends.push(() => smtp.close())
  // Fresh, so that it has nothing to do with any other test.
  const words = generateMnemonic(wordlist)
  const product = await startProduct(saleOnChain(sale, usdt), {
    database: 'postgres',
    environment: {
      SMTP_URL: smtp.url,
      EVM_XPUB: keysOfWallet(words, false).find(({ name }) => name === 'EVM_XPUB')?.text ?? '',
      EVM_TREASURY_1: TREASURY,
      EVM_RPC_URL_1: chain.url,
      EVM_CONFIRMATIONS_1: String(CONFIRMATIONS),
      ...reroutedTo(feeds, ['coinbase', 'kraken']),
    },
  })
  ends.push(product.stop)
  return { ...product, chain, usdt, words }
}

/** A sale file with other payment tokens: the coin of a real chain, and a token on it. */
function saleOnChain(sale: string, usdt: string): string {
  const tokens = [
    'id: eth, name: Ethereum, short_name: ETH, chain: ERC20, chain_id: 1, decimals: 18',
    `id: usdt, name: Tether, short_name: USDT, chain: ERC20, chain_id: 1, contract: '${usdt}', decimals: 6`,
  ].map((token) => {
    const id = /id: (\w+)/.exec(token)?.[1]
    return `  - { ${token}, min_amount_fiat: 10, payment_provider_ids: { evm: ${id} } }\n`
  })
  return sale.replace(/payment_tokens:\n[^]*(?=stages:)/, `payment_tokens:\n${tokens.join('')}`)
}

/** As the other browser tests, with a product that takes real payments. */
export const test = base.extend<object, { product: ProductOnChain }>({
  product: [
    async ({ saleFile }, provide) => {
      const ends: Ends = []
      const endAll = async () => {
        for (const end of ends.splice(0).toReversed()) await end()
      }
      try {
        await provide({ ...(await startOnChain(ends, saleFile ?? buyingSaleFile())), stop: endAll })
      } finally {
        await endAll()
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
