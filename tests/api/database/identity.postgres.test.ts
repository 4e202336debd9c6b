import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { invariant } from '#domain/invariant.ts'
import { buildRails } from '#server/build-rails.ts'
import { parseConfig } from '#server/config/config.ts'
import { admitInDatabase, isCopy } from '#server/database/rails/pinned-keys.ts'
import { listTransactions, updateSweepTransaction } from '#server/database/sweeps/sweeps.ts'
import type { Tables } from '#server/database/tables/tables.ts'
import { aPaymentToken, aSale } from '#tests/kit/builders/domain-builders.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { accountKey } from '#tests/kit/servers/evm-app.ts'
import { createTestClock } from '#tests/kit/servers/test-clock.ts'
import { utxoAccountKey } from '#tests/kit/servers/utxo-app.ts'
import { anOpenSweep } from '#tests/kit/sweeps/an-open-sweep.ts'

const key = { name: 'EVM_XPUB', fingerprint: '0123456789abcdef' }

const eth = aPaymentToken({ rail: 'evm', providerIds: { evm: 'eth' } })
const ltc = aPaymentToken({ id: 'ltc', rail: 'utxo', chain: 'LTC', providerIds: { utxo: 'ltc' } })

/** Has the rails of a sale made, as a start does. Returns what it warns of. */
async function startRails(
  database: Kysely<Tables>,
  environment: Record<string, string> = {},
  paymentTokens = [eth],
): Promise<string[]> {
  const warnings: string[] = []
  const ignore = () => {}
  await buildRails({
    settings: parseConfig({
      EVM_XPUB: accountKey('a key'),
      EVM_RPC_URL_1: 'http://127.0.0.1:1',
      LTC_XPUB: utxoAccountKey('LTC', 'a key'),
      LTC_RPC_URL: 'http://127.0.0.1:1',
      ...environment,
    }).rails,
    sale: aSale({ paymentTokens }),
    database,
    clock: createTestClock(),
    log: { debug: ignore, info: ignore, warn: (_, text) => warnings.push(text), error: ignore },
    publicUrl: null,
  })
  return warnings
}

describe('a copy of a database', () => {
  it('sends nothing that a sweep of the original had not sent', async () => {
    const open = await openTestDatabase()
    const { database } = open
    await startRails(database)
    await database
      .updateTable('pinned_keys')
      .set({ database: 'where the backup was made' })
      .execute()
    const id = await aBegunSweep(database)
    const warnings = await startRails(database, { DERIVATION_INDEX_MIN: '1' })
    expect((await listTransactions(database, id)).map(({ state }) => state)).toEqual([
      'sent',
      'stopped',
    ])
    expect(warnings).toContainEqual(expect.stringMatching(/copy.*not sent from here/))
    // From now on it is the sale's own.
    const other = await aBegunSweep(database, 'another chain')
    await startRails(database, { DERIVATION_INDEX_MIN: '1' })
    expect((await listTransactions(database, other)).map(({ state }) => state)).toEqual([
      'sent',
      'waiting',
    ])
    await open.close()
  })
})

describe('a copy of a database with several keys', () => {
  let open: TestDatabase
  beforeEach(async () => {
    open = await openTestDatabase()
    await startRails(open.database, {}, [eth, ltc])
    await know('EVM_XPUB', 10n)
    await know('LTC_XPUB', 16n)
  })
  afterEach(() => open.close())

  /** What the copy knows of a key. */
  const know = (name: string, next_index: bigint) =>
    open.database
      .updateTable('pinned_keys')
      .set({ next_index, database: 'where the backup was made' })
      .where('name', '=', name)
      .execute()

  async function nextIndexes(): Promise<Record<string, number>> {
    const rows = await open.database.selectFrom('pinned_keys').selectAll().execute()
    return Object.fromEntries(rows.map(({ name, next_index }) => [name, Number(next_index)]))
  }

  const startWith = (indexMin: number, paymentTokens = [eth, ltc], environment = {}) =>
    startRails(
      open.database,
      { ...environment, DERIVATION_INDEX_MIN: String(indexMin) },
      paymentTokens,
    )

  it('is told the number beyond what it knows of each of them', async () => {
    for (const tooLow of [0, 11, 16]) {
      await expect(startWith(tooLow)).rejects.toThrow('Set DERIVATION_INDEX_MIN to 17, plus')
      expect(await nextIndexes()).toEqual({ EVM_XPUB: 10, LTC_XPUB: 16 })
    }
    await startWith(20)
    expect(await nextIndexes()).toEqual({ EVM_XPUB: 20, LTC_XPUB: 20 })
    await startWith(0)
  })

  it('is warned of a number that skips nothing of a key', async () => {
    const skipsNothing = [expect.stringContaining('DERIVATION_INDEX_MIN skips nothing')]
    expect(await startWith(20)).not.toEqual(expect.arrayContaining(skipsNothing))
    expect(await startWith(0)).not.toEqual(expect.arrayContaining(skipsNothing))
    expect(await startWith(15)).toEqual(expect.arrayContaining(skipsNothing))
  })

  it('asks for a key that the sale has again later', async () => {
    await startWith(12, [eth])
    await expect(startWith(0)).rejects.toThrow('Set DERIVATION_INDEX_MIN to 17, plus')
    await startWith(20)
    expect(await nextIndexes()).toEqual({ EVM_XPUB: 20, LTC_XPUB: 20 })
  })

  it('may be skipped as far beyond the one that is far ahead of the others', async () => {
    await know('LTC_XPUB', 150_000n)
    await expect(startWith(250_001)).rejects.toThrow('Set it to at most 250000')
  })

  it('asks also where each key of the sale is a newer one than it knows', async () => {
    const EVM_XPUB = accountKey('a key since the backup')
    const ACCEPT_NEW_KEY = parseConfig({ EVM_XPUB }).rails.evm.key?.fingerprint
    const newKey = { EVM_XPUB, ACCEPT_NEW_KEY }
    await expect(startWith(0, [eth], newKey)).rejects.toThrow('Set DERIVATION_INDEX_MIN to 1, plus')
    await startWith(5, [eth], newKey)
    await startWith(0, [eth], newKey)
  })
})

/** A sweep of which one of two transactions was sent. */
async function aBegunSweep(database: Kysely<Tables>, chain?: string): Promise<string> {
  const id = await anOpenSweep(database, chain)
  const sent = { state: 'sent' as const, sent_at: new Date() }
  await updateSweepTransaction(database, { sweep_id: id, place: 0, state: 'waiting' }, sent)
  return id
}

describe('a host that keeps the identity of its databases to itself', () => {
  let open: TestDatabase
  /** The same database, where a function in place of PostgreSQL's refuses to answer. */
  let host: Kysely<Tables>
  beforeAll(async () => {
    open = await openTestDatabase()
    await sql`create schema host`.execute(open.database)
    invariant(open.config.kind === 'postgres', 'This test has a database on a server.')
    const options = '-c search_path=host,pg_catalog,public'
    const pool = new pg.Pool({ connectionString: open.config.url, options })
    host = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  })
  afterEach(() => open.database.deleteFrom('pinned_keys').execute())
  afterAll(async () => {
    await host.destroy()
    await open.close()
  })

  /** Pins a key, and has the host refuse with a state of SQL. */
  async function pinWhere(state: string, database: string | null = null): Promise<void> {
    const pinned = { ...key, database, is_current: true, pinned_at: new Date() }
    await open.database.insertInto('pinned_keys').values(pinned).execute()
    await refuseWith(state)
  }

  const admit = () => admitInDatabase(host, [key], async () => {})

  async function refuseWith(state: string): Promise<void> {
    await sql
      .raw(`
        create or replace function host.pg_control_system()
        returns table (system_identifier bigint) language plpgsql as $$
          begin raise 'The host does not answer' using errcode = '${state}'; end
        $$`)
      .execute(open.database)
  }

  it.each([
    ['may not be asked', '42501'],
    ['does not have the question', '42883'],
    ['does not support it', '0A000'],
    ['answers only in another state', '55000'],
  ])('is used if it %s', async (_why, state) => {
    await pinWhere(state)
    expect(await isCopy(host, [key])).toBe(false)
    expect(await admit()).toBe(false)
  })

  it('has a copy of a database that had an identity, until it was admitted', async () => {
    await pinWhere('42501', 'where the backup was made')
    expect(await isCopy(host, [key])).toBe(true)
    await admit()
    expect(await isCopy(host, [key])).toBe(false)
  })

  it('is warned of at the start, since no copy would be recognised', async () => {
    await refuseWith('42501')
    const warnings = await startRails(host)
    expect(warnings).toContainEqual(
      expect.stringMatching(/which database.*DERIVATION_INDEX_MIN to the highest next_index/),
    )
  })

  it('is not used if it only fails to answer this time', async () => {
    await pinWhere('57014')
    await expect(admit()).rejects.toThrow('The host does not answer')
  })
})
