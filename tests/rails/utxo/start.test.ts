import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { playMainnet, utxoAccountKey } from '#tests/kit/servers/utxo-app.ts'

const LIMIT = { timeout: 120_000 }
const LTC_XPUB = utxoAccountKey('LTC', 'the wallet of the operator')

describe('the server of a sale that takes coins of the Bitcoin family', LIMIT, () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let folder: string
  let open: TestDatabase
  let servers: ServerProcess[]

  beforeAll(async () => {
    litecoind = await startLitecoind()
    proxy = await playMainnet('LTC', litecoind.url)
  })
  afterAll(async () => {
    await proxy.stop()
    await litecoind.stop()
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'presale-utxo-start-'))
    open = await openTestDatabase()
    servers = []
  })
  afterEach(async () => {
    for (const server of servers) {
      server.process.kill('SIGKILL')
      await server.ended
    }
    await open.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Starts it as an operator does, with everything that a real sale needs. */
  async function start(environment: Record<string, string> = {}) {
    const database = open.config.kind === 'postgres' ? open.config.url : ''
    await writeFile(join(folder, 'sale.yaml'), saleOnLitecoin())
    const server = await startServerOnFreePort({
      DATABASE_URL: database,
      SMTP_URL: 'smtp://127.0.0.1:2525',
      SECRET_KEY: 'a secret key for tests, and for nothing else',
      SALE_FILE: join(folder, 'sale.yaml'),
      LTC_XPUB,
      LTC_RPC_URL: proxy.url,
      ...environment,
    })
    servers.push(server)
    return server
  }

  async function refusal(environment: Record<string, string>): Promise<string> {
    const server = await start(environment)
    expect(await server.ended, server.out()).toBe(1)
    expect(server.err()).not.toMatch(/^\s+at |node:internal/m)
    return server.err()
  }

  it('shows the key’s fingerprint and first address, and refuses another key', async () => {
    const server = await start()
    await server.opened
    expect(server.out()).toMatch(
      /LTC_XPUB: fingerprint [0-9a-f]{16}\. Your wallet shows ltc1q[0-9a-z]{38} as its first address/,
    )
    expect(server.out()).not.toContain(LTC_XPUB)
    server.process.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const other = utxoAccountKey('LTC', 'somebody else’s wallet')
    expect(await refusal({ LTC_XPUB: other })).toContain('LTC_XPUB is another key')
  })

  it('reports every fault of its settings at once, and repeats no key', async () => {
    const root = HDKey.fromMasterSeed(Buffer.alloc(32, 7))
    const priv = root.derive("m/84'/0'/0'").privateExtendedKey
    const message = await refusal({
      BTC_XPUB: priv,
      LTC_XPUB: root.derive("m/84'/2'").publicExtendedKey,
      LTC_RPC_URL: 'http://user:hunter2@node.example/',
      LTC_CONFIRMATIONS: 'many',
      DOGE_XPUB: 'dgub of nothing',
    })
    expect(message).toMatch(/^- BTC_XPUB must be .*PRIVATE key, which can spend everything/m)
    expect(message).toMatch(/^- LTC_XPUB must be the key of the account m\/84'\/2'\/0'/m)
    expect(message).toMatch(/^- DOGE_XPUB must be .*a letter of it is wrong/m)
    expect(message).toMatch(/^- LTC_RPC_URL must begin with https:/m)
    expect(message).toMatch(/^- LTC_CONFIRMATIONS must be a number of confirmations/m)
    expect(message).not.toContain(priv)
    expect(message).not.toContain('hunter2')
  })

  it('refuses one account’s key for two coins, since a wallet would look elsewhere', async () => {
    expect(await refusal({ BTC_XPUB: LTC_XPUB })).toMatch(
      /^- LTC_XPUB is the same key as BTC_XPUB: it must be the key of the account m\/84'\/2'\/0'/m,
    )
  })

  it('refuses the key of a coin for the coins of EVM chains too', async () => {
    expect(await refusal({ EVM_XPUB: LTC_XPUB })).toMatch(
      /^- LTC_XPUB is the same key as EVM_XPUB: it must be the key of the account m\/84'\/2'\/0'/m,
    )
  })

  it('names what the sale needs and is not set', async () => {
    const message = await refusal({ LTC_XPUB: '', LTC_RPC_URL: '' })
    expect(message).toContain('- LTC_XPUB must be set: the sale takes LTC')
    expect(message).toContain('- LTC_RPC_URL must be set: the sale takes LTC')
  })

  it.each([
    ['of another network', (url: string) => url, 'is of the network regtest, not of litecoin'],
    ['that refuses the login', (url: string) => url.replace('tests@', 'other@'), 'status 401'],
  ])('opens beside a node %s, and reports it', async (_, change, reason) => {
    const server = await start({ LTC_RPC_URL: change(litecoind.url) })
    await server.opened
    expect(server.out()).toContain('A chain cannot be reached')
    expect(server.out()).toContain(reason)
    expect(server.out()).not.toContain('tests:')
  })

  it('opens without a node, names the coin that cannot be bought, and logs no login', async () => {
    const server = await start({ LTC_RPC_URL: 'http://somebody:hunter2@127.0.0.1:1' })
    await server.opened
    expect(server.out()).toContain('A chain cannot be reached')
    expect(server.out()).toContain('"unavailable":["LTC"]')
    expect(server.out()).not.toContain('hunter2')
  })
})

/** The small sale, paid in litecoin. */
function saleOnLitecoin(): string {
  return SMALL_SALE_FILE.replace('short_name: ETH', 'short_name: LTC')
    .replace('chain: ETH', 'chain: Litecoin')
    .replace('decimals: 18', 'decimals: 8')
    .replace('{ sandbox: eth }', '{ utxo: ltc }')
}
