import { createHash, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { invariant } from '#domain/invariant.ts'
import { cryptoAmount } from '#domain/money.ts'
import { buildRails } from '#server/build-rails.ts'
import { parseConfig } from '#server/config/config.ts'
import { admitInDatabase } from '#server/database/rails/pinned-keys.ts'
import {
  insertSweep,
  listTransactions,
  openSweep,
  updateSweepTransaction,
} from '#server/database/sweeps/sweeps.ts'
import type { Tables } from '#server/database/tables/tables.ts'
import { aPaymentToken, aSale } from '#tests/kit/builders/domain-builders.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { accountKey } from '#tests/kit/servers/evm-app.ts'
import { createTestClock } from '#tests/kit/servers/test-clock.ts'

const key = { name: 'EVM_XPUB', fingerprint: '0123456789abcdef' }

/** Has the rails of a sale made, as a start does. Returns what it warns of. */
async function startRails(
  database: Kysely<Tables>,
  environment: Record<string, string> = {},
): Promise<string[]> {
  const warnings: string[] = []
  const ignore = () => {}
  await buildRails({
    settings: parseConfig({
      EVM_XPUB: accountKey('a key'),
      EVM_RPC_URL_1: 'http://127.0.0.1:1',
      ...environment,
    }).rails,
    sale: aSale({ paymentTokens: [aPaymentToken({ rail: 'evm', providerIds: { evm: 'eth' } })] }),
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
    const id = await anOpenSweep(database)
    const warnings = await startRails(database, { DERIVATION_INDEX_MIN: '1' })
    expect((await listTransactions(database, id)).map(({ state }) => state)).toEqual([
      'sent',
      'stopped',
    ])
    expect(warnings).toContainEqual(expect.stringMatching(/copy.*not sent from here/))
    // From now on it is the sale's own.
    const other = await anOpenSweep(database, 'another chain')
    await startRails(database, { DERIVATION_INDEX_MIN: '1' })
    expect((await listTransactions(database, other)).map(({ state }) => state)).toEqual([
      'sent',
      'waiting',
    ])
    await open.close()
  })
})

async function anOpenSweep(database: Kysely<Tables>, chain = 'a chain'): Promise<string> {
  const id = randomUUID()
  const at = new Date()
  const file_hash = createHash('sha256').update(id).digest('hex')
  const sweep = { id, chain, treasury: 'treasury', payer: 'payer', file_hash, kept_at: at }
  const transactions = [0, 1].map((place) => ({
    place,
    kind: 'coins' as const,
    transaction_hash: `${id} ${place}`,
    raw: 'signed',
    sender: `sender ${place}`,
    nonce: 0n,
    address: `sender ${place}`,
    payment_token_id: null,
    amount: cryptoAmount(1n),
    fee: cryptoAmount(1n),
  }))
  await database.transaction().execute(async (transaction) => {
    await insertSweep(transaction, sweep, transactions)
    await openSweep(transaction, sweep, at)
  })
  const sent = { state: 'sent' as const, sent_at: at }
  await updateSweepTransaction(database, { sweep_id: id, place: 0 }, sent)
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

  /** Admits a key where the host refuses with a state of SQL. */
  async function admitWhere(
    state: string,
    { database = null, isSkipped = false }: { database?: string | null; isSkipped?: boolean } = {},
  ): Promise<string> {
    const pinned = { ...key, database, is_current: true, pinned_at: new Date() }
    await open.database.insertInto('pinned_keys').values(pinned).execute()
    await refuseWith(state)
    return await admitInDatabase(host, key, isSkipped, async () => {})
  }

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
    expect(await admitWhere(state)).toBe('unidentified')
  })

  it('has a copy of a database that had an identity', async () => {
    const database = 'where the backup was made'
    expect(await admitWhere('42501', { database })).toBe('copy')
  })

  it('has it for good once addresses were skipped', async () => {
    const database = 'where the backup was made'
    expect(await admitWhere('42501', { database, isSkipped: true })).toBe('unidentified')
    expect(await admitInDatabase(host, key, false, async () => {})).toBe('unidentified')
  })

  it('is warned of at the start, since no copy would be recognised', async () => {
    await refuseWith('42501')
    const warnings = await startRails(host)
    expect(warnings).toContainEqual(expect.stringMatching(/which database.*DERIVATION_INDEX_MIN/))
  })

  it('is not used if it only fails to answer this time', async () => {
    await expect(admitWhere('57014')).rejects.toThrow('The host does not answer')
  })
})
