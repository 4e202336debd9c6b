import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { SessionTokens, Transaction, User } from '#contract/shapes.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { changeLine } from '#tests/kit/builders/small-sale-file.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { accountKey, addressOf, dueOf } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import { databaseUrl, runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { callInstance, type Instance } from '#tests/kit/servers/server-fleet.ts'
import {
  inheritedEnvironment,
  type ServerProcess,
  startServerOnFreePort,
} from '#tests/kit/servers/server-process.ts'
import { playMainnet, utxoAccountKey } from '#tests/kit/servers/utxo-app.ts'
import { projectRoot } from '#tools/project.ts'
import { findPostgresTools } from '#tools/testing/chain-nodes.ts'
import {
  type OwnPostgresServer,
  startPostgres,
  unsafeButFast,
} from '#tools/testing/start-postgres.ts'

const LIMIT = 240_000
/** Nodes are asked every few seconds. */
const READING = { timeout: 30_000, interval: 200 }
const CONFIRMATIONS = 2
const TOKENS = `payment_tokens:
  - id: eth
    name: Ether
    short_name: ETH
    chain: ERC20
    chain_id: 1
    decimals: 18
    fixed_price: 2500
    price_from: fixed
    min_amount_fiat: 10
    payment_provider_ids: { evm: eth }
  - id: ltc
    name: Litecoin
    short_name: LTC
    chain: LTC
    decimals: 8
    fixed_price: 100
    price_from: fixed
    min_amount_fiat: 10
    payment_provider_ids: { utxo: ltc }
`

type Buyer = { user: User; tokens: SessionTokens; email: string; password: string }
type Account = { data: { user: User; tokens: SessionTokens } }

const run = promisify(execFile)
const as = ({ tokens }: Buyer) => ({ as: { accessToken: tokens.access.token } })

describe('a backup restored after more was sold', () => {
  let anvil: Anvil
  let litecoind: Litecoind
  let litecoin: RpcProxy
  let postgres: OwnPostgresServer
  let folder: string
  let settings: Record<string, string>
  let restored: Record<string, string>
  const servers: ServerProcess[] = []
  let instance: Instance
  /** What the server said when it was started on the restored backup in a wrong way. */
  let refusals: Record<'withoutKey' | 'otherKey' | 'withoutIndex' | 'overTheOld', string>

  let ada: Buyer
  let adasApp: TOTP
  let bob: Buyer
  let zoe: Buyer
  /** Before the backup. */
  let paid: Transaction
  let pending: Transaction
  /** After it: what was never paid, what was paid at once, and what is paid later. */
  let lost: Record<'unpaid' | 'paid' | 'paidLate' | 'litecoin', Transaction>
  let newestHead: string

  beforeAll(async () => {
    anvil = await startAnvil()
    litecoind = await startLitecoind()
    litecoin = await playMainnet('LTC', litecoind.url)
    postgres = await startPostgres(unsafeButFast, findPostgresTools() ?? undefined)
    folder = await mkdtemp(join(tmpdir(), 'presale-restored-'))
    await runOnServer(postgres.url, 'create role presale login')
    await runOnServer(postgres.url, 'create database presale owner presale')
    settings = await settingsFor('presale')
    instance = await start(settings)
    await sellBeforeTheBackup()
    await tool('pg_dump', '--format=custom', `--file=${folder}/presale.dump`, adminUrlOf('presale'))
    await sellAfterTheBackup()
    await end(instance)
    await restore()
  }, LIMIT)
  afterAll(async () => {
    for (const { process, ended } of servers) {
      process.kill('SIGKILL')
      await ended
    }
    await postgres.stop()
    await litecoin.stop()
    await litecoind.stop()
    await anvil.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Dumps are made and restored by PostgreSQL's own user, who needs no password. */
  function adminUrlOf(name: string): string {
    return databaseUrl(postgres.url, name)
  }

  function urlOf(name: string): string {
    const url = new URL(adminUrlOf(name))
    url.username = 'presale'
    return url.href
  }

  async function settingsFor(name: string): Promise<Record<string, string>> {
    const file = join(folder, 'sale.yaml')
    const sale = changeLine('    total_tokens: 1000', '    total_tokens: 1000000')
    const [before = '', after = ''] = sale.split(/payment_tokens:\n[^]*?(?=stages:)/)
    await writeFile(file, `${before}${TOKENS}${after}`)
    return {
      DATABASE_URL: urlOf(name),
      SECRET_KEY: 'the secret key of this sale, kept with its backups',
      SALE_FILE: file,
      SMTP_URL: 'smtp://127.0.0.1:9',
      EVM_XPUB: accountKey('a restored sale'),
      EVM_RPC_URL_1: anvil.url,
      EVM_CONFIRMATIONS_1: String(CONFIRMATIONS),
      LTC_XPUB: utxoAccountKey('LTC', 'a restored sale'),
      LTC_RPC_URL: litecoin.url,
      LTC_CONFIRMATIONS: String(CONFIRMATIONS),
    }
  }

  /** Runs one of PostgreSQL's programs. */
  async function tool(program: string, ...words: string[]): Promise<void> {
    await run(join(findPostgresTools() ?? '', program), words)
  }

  async function launch(environment: Record<string, string>) {
    const server = await startServerOnFreePort(environment)
    servers.push(server)
    return server
  }

  async function start(environment: Record<string, string>): Promise<Instance> {
    const server = await launch(environment)
    await server.opened
    return { ...server, address: `http://127.0.0.1:${server.port}` }
  }

  async function end({ process, ended }: ServerProcess): Promise<void> {
    process.kill('SIGTERM')
    expect(await ended).toBe(0)
  }

  async function refusal(changes: Record<string, string>): Promise<string> {
    const server = await launch({ ...restored, ...changes })
    expect(await server.ended, server.out()).toBe(1)
    return server.err()
  }

  /** Runs the operator's command where the server runs. */
  async function operator<Reply>(...words: string[]): Promise<Reply> {
    const PORT = new URL(instance.address).port
    const { stdout } = await run(
      process.execPath,
      ['server/operator/main.ts', '--json', '--as', 'olga', ...words],
      { cwd: projectRoot, env: { ...inheritedEnvironment(), ...settings, PORT } },
    )
    return JSON.parse(stdout) as Reply
  }

  async function register(): Promise<Buyer> {
    const body = aRegistration()
    const reply = await callInstance<Account>(instance, 'POST', '/auth/register', { body })
    return { ...reply.body.data, email: body.email, password: body.password }
  }

  async function buy(buyer: Buyer, token: 'eth' | 'ltc'): Promise<Transaction> {
    const body = { purchase_amount: 100, purchase_token_id: token }
    const call = () =>
      callInstance<{ data: Transaction }>(instance, 'POST', '/transactions', {
        user: as(buyer),
        body,
      })
    // A chain can be bought on once it was read.
    return await vi.waitFor(async () => {
      const { status, body: reply } = await call()
      expect(status).toBe(201)
      return reply.data
    }, READING)
  }

  async function pay(purchase: Transaction): Promise<void> {
    if (purchase.payment_token?.id === 'ltc') {
      await litecoind.pay([addressOf(purchase), dueOf(purchase)])
      await litecoind.mine(CONFIRMATIONS)
    } else {
      await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
      await anvil.mine(CONFIRMATIONS)
    }
  }

  async function look(buyer: Buyer, { id }: Transaction): Promise<Transaction> {
    const reply = await callInstance<Transaction>(instance, 'GET', `/transactions/${id}`, {
      user: as(buyer),
    })
    return reply.body
  }

  const expectStatus = async (buyer: Buyer, purchase: Transaction, status: string) =>
    await vi.waitFor(async () => expect((await look(buyer, purchase)).status).toBe(status), READING)

  async function sellBeforeTheBackup(): Promise<void> {
    ada = await register()
    bob = await register()
    const started = await callInstance<{ secret: string }>(instance, 'POST', '/auth/two-factor', {
      user: as(ada),
      body: { password: ada.password },
    })
    adasApp = new TOTP({ secret: started.body.secret })
    const code = adasApp.generate()
    await callInstance(instance, 'POST', '/auth/two-factor/confirm', {
      user: as(ada),
      body: { code },
    })

    paid = await buy(ada, 'eth')
    const expired = await buy(ada, 'ltc')
    const refunded = await buy(bob, 'eth')
    pending = await buy(bob, 'ltc')
    await pay(paid)
    await pay(refunded)
    await expectStatus(ada, paid, 'completed')
    await expectStatus(bob, refunded, 'completed')
    // As if it had been made half an hour earlier.
    await runOnServer(
      urlOf('presale'),
      `update purchases set created_at = created_at - interval '1 hour',
        expires_at = expires_at - interval '1 hour',
        grace_ends_at = grace_ends_at - interval '1 hour'
      where id = $1`,
      [expired.id],
    )
    await expectStatus(ada, expired, 'expired')
    await operator('purchases', 'fail', refunded.id, '--reason', 'A rehearsal')
    const { data } = await operator<{ data: { receipt_id: string }[] }>('refunds')
    const back = await anvil.send({ to: `0x${'ab'.repeat(20)}`, value: dueOf(refunded) })
    await operator('refunds', 'pay', data[0]?.receipt_id ?? '', '--hash', back)
  }

  async function sellAfterTheBackup(): Promise<void> {
    zoe = await register()
    lost = {
      unpaid: await buy(bob, 'eth'),
      paid: await buy(bob, 'eth'),
      paidLate: await buy(zoe, 'eth'),
      litecoin: await buy(zoe, 'ltc'),
    }
    await pay(lost.paid)
    await expectStatus(bob, lost.paid, 'completed')
    await operator('pause', '--reason', 'The disk is failing')
    await operator('resume')
    const head = await callInstance<{ head: { hash: string } }>(instance, 'GET', '/audit/head')
    newestHead = head.body.head.hash
    // While nothing runs, two of them are paid.
    await end(instance)
    await pay(lost.litecoin)
    await pay(pending)
  }

  async function restore(): Promise<void> {
    const address = new URL(postgres.url)
    const where = ['-h', address.hostname, '-p', address.port, '-U', 'postgres']
    await tool('createdb', ...where, '--owner=presale', 'presale_restored')
    const dump = `${folder}/presale.dump`
    const asOwner = ['--no-owner', '--role=presale', '--exit-on-error']
    await tool('pg_restore', ...asOwner, `--dbname=${adminUrlOf('presale_restored')}`, dump)
    await tool('pg_restore', '--clean', ...asOwner, `--dbname=${adminUrlOf('presale')}`, dump)
    restored = await settingsFor('presale_restored')
    refusals = {
      withoutKey: await refusal({ SECRET_KEY: '' }),
      otherKey: await refusal({ SECRET_KEY: 'the secret key of another sale altogether' }),
      withoutIndex: await refusal({}),
      overTheOld: await refusal({ DATABASE_URL: settings['DATABASE_URL'] ?? '' }),
    }
    const first = Number(/DERIVATION_INDEX_MIN to (\d+)/.exec(refusals.withoutIndex)?.[1])
    instance = await start({ ...restored, DERIVATION_INDEX_MIN: String(first + 20) })
  }

  const given = () => Object.values(lost).map(addressOf)

  it('does not start without the secret key that belongs to it', () => {
    expect(refusals.withoutKey).toContain('SECRET_KEY must be set where DATABASE_URL is')
    expect(refusals.otherKey).toMatch(/SECRET_KEY is another one .* Put the former key back/)
  })

  it('does not start before somebody says how many addresses it may have lost', () => {
    const copy = /This database is a copy.* Set DERIVATION_INDEX_MIN to /
    expect(refusals.withoutIndex).toMatch(copy)
    expect(refusals.overTheOld).toMatch(copy)
  })

  it('has books that agree, and what it knew', async () => {
    const { database, close } = await openDatabase({
      kind: 'postgres',
      url: urlOf('presale_restored'),
    })
    expect(await listBrokenInvariants(database)).toEqual([])
    await close()
    expect(await operator('status')).toMatchObject({ status: 'ACTIVE', check: { breaches: [] } })
    expect(await look(ada, paid)).toMatchObject({ status: 'completed' })
    expect(await operator('refunds', '--state', 'paid')).toMatchObject({ data: [{}] })
  })

  it('keeps everybody logged in, and lets them log in with their authenticator apps', async () => {
    const me = `/users/${ada.user.id}`
    expect(await callInstance(instance, 'GET', me, { user: as(ada) })).toMatchObject({
      status: 200,
    })
    const body = { refresh_token: ada.tokens.refresh.token }
    const refreshed = await callInstance(instance, 'POST', '/auth/refresh-tokens', { body })
    expect(refreshed.status).toBe(200)
    // The code of the next half minute: this one's was used.
    const code = adasApp.generate({ timestamp: Date.now() + 30_000 })
    const login = { email: ada.email, password: ada.password, code }
    const reply = await callInstance(instance, 'POST', '/auth/login', { body: login })
    expect(reply.status).toBe(200)
  })

  it('credits what was paid meanwhile for a purchase that it has', async () => {
    await expectStatus(bob, pending, 'completed')
  })

  it('gives nobody an address that somebody else was shown after the backup', async () => {
    const buyer = await register()
    for (const token of ['eth', 'ltc', 'eth', 'ltc', 'eth'] as const) {
      expect(given()).not.toContain(addressOf(await buy(buyer, token)))
    }
  })

  it('shows the operator what comes to addresses of lost purchases, and credits nobody', async () => {
    await pay(lost.paidLate)
    const found = async () => {
      const words = ['inbox', '--kind', 'unmatched']
      const { data } = await operator<{ data: { title: string; detail: string }[] }>(...words)
      return data.map(({ title, detail }) => [detail, title])
    }
    const expected = [lost.paid, lost.paidLate, lost.litecoin].map((purchase) => [
      addressOf(purchase),
      `${purchase.payment_amount} ${purchase.payment_token?.short_name} arrived at an address without a purchase`,
    ])
    await vi.waitFor(
      async () => expect((await found()).toSorted()).toEqual(expected.toSorted()),
      READING,
    )
    expect(await operator('status')).toMatchObject({ unmatched: expected.length })
    const me = await callInstance(instance, 'GET', `/users/${bob.user.id}`, { user: as(bob) })
    expect(me.body).toMatchObject({ tokens: { total: 200 } })
  })

  it('has an audit log that is whole, and lacks the newest acts by a head that was kept', async () => {
    expect(await operator('audit', 'verify')).toMatchObject({ fault: null })
    expect(await operator('audit', 'verify', '--head', newestHead)).toMatchObject({
      fault: { kind: 'cut_off' },
    })
  })
})
