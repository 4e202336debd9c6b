import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountKey } from '#tests/kit/servers/evm-app.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { changeLine } from '#tests/kit/builders/small-sale-file.ts'

const LIMIT = { timeout: 120_000 }
const XPUB = accountKey('the wallet of the operator')

describe('the server of a sale on EVM chains', LIMIT, () => {
  let anvil: Anvil
  let folder: string
  let open: TestDatabase
  let servers: ServerProcess[]

  beforeAll(async () => {
    anvil = await startAnvil()
  })
  afterAll(() => anvil.stop())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'presale-evm-start-'))
    open = await openTestDatabase()
    servers = []
    const rail = '    chain_id: 1\n    payment_provider_ids: { evm: eth }'
    await writeFile(join(folder, 'sale.yaml'), changeLine('    payment_provider_ids', rail))
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
    const server = await startServerOnFreePort({
      DATABASE_URL: database,
      SMTP_URL: 'smtp://127.0.0.1:2525',
      SECRET_KEY: 'a secret key for tests, and for nothing else',
      SALE_FILE: join(folder, 'sale.yaml'),
      EVM_XPUB: XPUB,
      EVM_RPC_URL_1: anvil.url,
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

  async function end(server: ServerProcess): Promise<void> {
    server.process.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  }

  it('shows the key’s fingerprint, and the address that the wallet shows first', async () => {
    const server = await start()
    await server.opened
    expect(server.out()).toMatch(
      /EVM_XPUB: fingerprint [0-9a-f]{16}\. Your wallet shows 0x[0-9a-fA-F]{40} as its first address/,
    )
    expect(server.out()).not.toContain(XPUB)
  })

  it('refuses another key than it began with, until the setting confirms it', async () => {
    const first = await start()
    await first.opened
    const fingerprint = /fingerprint ([0-9a-f]{16})/.exec(first.out())?.[1]
    await end(first)

    const EVM_XPUB = accountKey('somebody else’s wallet')
    const message = await refusal({ EVM_XPUB })
    expect(message).toContain(`EVM_XPUB is another key`)
    expect(message).toContain(String(fingerprint))
    const accept = /ACCEPT_NEW_KEY=([0-9a-f]{16})/.exec(message)?.[1] ?? ''
    expect(await refusal({ EVM_XPUB, ACCEPT_NEW_KEY: 'f'.repeat(16) })).toContain('another key')

    const second = await start({ EVM_XPUB, ACCEPT_NEW_KEY: accept })
    await second.opened
    await end(second)
    expect(await refusal({})).toContain('EVM_XPUB is another key')
    const third = await start({ EVM_XPUB })
    await third.opened
  })

  it('reports every fault of its settings at once, and repeats no key', async () => {
    const root = HDKey.fromMasterSeed(Buffer.alloc(32, 7))
    const EVM_XPUB = root.derive("m/44'/60'/0'").privateExtendedKey
    const message = await refusal({
      EVM_XPUB,
      EVM_RPC_URL_1: 'http://user:hunter2@node.example/key',
      EVM_RPC_URL_main: 'https://node.example',
      EVM_CONFIRMATIONS_1: 'many',
      ACCEPT_NEW_KEY: 'yes',
      DERIVATION_INDEX_MIN: '-1',
    })
    expect(message).toMatch(/^- EVM_XPUB must be .*PRIVATE key, which can spend everything/m)
    expect(message).toMatch(/^- EVM_RPC_URL_1 must begin with https:/m)
    expect(message).toMatch(/^- EVM_RPC_URL_main must end in the chain's id/m)
    expect(message).toMatch(/^- EVM_CONFIRMATIONS_1 must be a number of confirmations/m)
    expect(message).toMatch(/^- ACCEPT_NEW_KEY must be fingerprints/m)
    expect(message).toMatch(/^- DERIVATION_INDEX_MIN must be a whole number/m)
    expect(message).not.toContain(EVM_XPUB)
    expect(message).not.toContain('hunter2')
  })

  it('names what the sale needs and is not set', async () => {
    const message = await refusal({ EVM_XPUB: '', EVM_RPC_URL_1: '' })
    expect(message).toContain('- EVM_XPUB must be set: the sale takes payments on EVM chains.')
    expect(message).toContain('- EVM_RPC_URL_1 must be set: the sale takes ETH on that chain.')
  })

  it('opens without a node, names the token that cannot be bought, and logs no key', async () => {
    const server = await start({ EVM_RPC_URL_1: 'http://127.0.0.1:1/a-key-of-the-operator' })
    await server.opened
    expect(server.out()).toContain('A chain cannot be reached')
    expect(server.out()).toContain('"unavailable":["ETH"]')
    expect(server.out()).not.toContain('a-key-of-the-operator')
  })
})
