import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { keysOfWallet } from '#tools/keys/wallet-keys.ts'
import { projectRoot } from '#tools/project.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { buyingSaleFile } from './buying-sale.ts'
import type { Product } from './product.ts'
import { sharedTemplate } from '#tests/kit/servers/shared-template.ts'
import { test as base } from './test.ts'
import { copyTemplate } from '#tests/kit/servers/postgres-databases.ts'
import { startPriceFeeds } from '#tests/kit/servers/price-feed-servers.ts'
import { startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
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

const feedHosts = {
  coinbase: 'api.coinbase.com',
  kraken: 'api.kraken.com',
} as const

/** What was started, to be stopped in reverse order. */
type Ends = (() => Promise<unknown>)[]

async function startOnChain(ends: Ends, sale: string): Promise<Omit<ProductOnChain, 'stop'>> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-e2e-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const chain = await startAnvil()
  ends.push(() => chain.stop())
  const usdt = await chain.deployToken()
  const feeds = await startPriceFeeds(createTestClock())
  ends.push(() => feeds.stop())
  const smtp = await startSmtpServer()
  ends.push(() => smtp.close())
  const saleFile = join(folder, 'sale.yaml')
  await writeFile(saleFile, saleOnChain(sale, usdt))

  const played = Object.entries(feedHosts).map(([name, host]) => [
    host,
    feeds.serverOf(name as keyof typeof feedHosts).url,
  ])
  const preload = pathToFileURL(join(projectRoot, 'tests/e2e/kit/wallet-feeds.ts')).href
  const operatorToken = randomBytes(32).toString('hex')
  // Fresh, so that it has nothing to do with any other test.
  const words = generateMnemonic(wordlist)
  const database = await copyTemplate(sharedTemplate())
  ends.push(database.drop)
  const server = await startServerOnFreePort({
    DATABASE_URL: database.url,
    SMTP_URL: smtp.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN: operatorToken,
    SALE_FILE: saleFile,
    EVM_XPUB: keysOfWallet(words, false).find(({ name }) => name === 'EVM_XPUB')?.text ?? '',
    EVM_TREASURY_1: TREASURY,
    EVM_RPC_URL_1: chain.url,
    EVM_CONFIRMATIONS_1: String(CONFIRMATIONS),
    PRICE_FEEDS: Object.keys(feedHosts).join(' '),
    PLAYED_FEEDS: JSON.stringify(Object.fromEntries(played)),
    NODE_OPTIONS: `--import ${preload}`,
  })
  const kill = () => server.process.kill('SIGKILL')
  // A test runner that is interrupted leaves no server behind.
  process.once('exit', kill)
  ends.push(async () => {
    server.process.kill('SIGTERM')
    const code = await server.ended
    process.off('exit', kill)
    if (code !== 0) throw new Error(`The product ended with ${code}. It said:\n${server.err()}`)
  })
  await server.opened
  return { address: `http://localhost:${server.port}`, operatorToken, chain, usdt, words }
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
