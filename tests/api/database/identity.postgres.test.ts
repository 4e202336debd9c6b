import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { invariant } from '#domain/invariant.ts'
import { buildRails } from '#server/build-rails.ts'
import { parseConfig } from '#server/config/config.ts'
import { admitInDatabase } from '#server/database/rails/pinned-keys.ts'
import type { Tables } from '#server/database/tables/tables.ts'
import { aPaymentToken, aSale } from '#tests/kit/builders/domain-builders.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { accountKey } from '#tests/kit/servers/evm-app.ts'
import { createTestClock } from '#tests/kit/servers/test-clock.ts'

const key = { name: 'EVM_XPUB', fingerprint: '0123456789abcdef' }

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
    return await admitInDatabase(host, key, isSkipped)
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
    expect(await admitInDatabase(host, key, false)).toBe('unidentified')
  })

  it('is warned of at the start, since no copy would be recognised', async () => {
    await refuseWith('42501')
    const warnings: string[] = []
    const ignore = () => {}
    await buildRails({
      settings: parseConfig({
        EVM_XPUB: accountKey('a key'),
        EVM_RPC_URL_1: 'http://127.0.0.1:1',
      }).rails,
      sale: aSale({ paymentTokens: [aPaymentToken({ rail: 'evm', providerIds: { evm: 'eth' } })] }),
      database: host,
      clock: createTestClock(),
      log: { debug: ignore, info: ignore, warn: (_, text) => warnings.push(text), error: ignore },
      publicUrl: null,
    })
    expect(warnings).toContainEqual(expect.stringMatching(/which database.*DERIVATION_INDEX_MIN/))
  })

  it('is not used if it only fails to answer this time', async () => {
    await expect(admitWhere('57014')).rejects.toThrow('The host does not answer')
  })
})
