import { sql } from 'kysely'
import { getHeapSpaceStatistics } from 'node:v8'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { invariant } from '#domain/invariant.ts'
import { answerByCallback } from '#server/database/connection/answer-by-callback.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'

let open: TestDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

/** Bytes of V8's old generation: what has outlived two collections of the young one. */
function oldBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  return space?.space_used_size ?? NaN
}

test('rows that nobody holds any more do not outlive the next queries', async () => {
  const readRows = () =>
    sql`
      select 'row ' || nth as one, 'of ' || nth as two, nth::numeric as three
      from generate_series(1, 100) as nth`.execute(open.database)
  const grownBy = async (queries: number) => {
    let grown = 0
    for (let nth = 0, before = oldBytes(); nth < queries; nth += 1) {
      await readRows()
      const after = oldBytes()
      // A collection of the whole heap in between makes it less again.
      grown += Math.max(0, after - before)
      before = after
    }
    return grown
  }
  await grownBy(200)
  // Their rows take 20 MB. What else this process does meanwhile takes a few.
  expect(await grownBy(2_000)).toBeLessThan(15_000_000)
})

test('a connection has the settings that the server was written for, whatever its defaults', async () => {
  const { config } = open
  invariant(config.kind === 'postgres', 'These tests run on PostgreSQL.')
  const url = new URL(config.url)
  const others = String.raw`-c jit=on -c datestyle=German -c timezone=Asia/Tokyo -c work_mem=7MB -c default_transaction_isolation=serializable`
  url.searchParams.set('options', others)
  const other = await openDatabase({ kind: 'postgres', url: url.href })
  try {
    const { rows } = await sql`
      select
        current_setting('jit') as jit,
        current_setting('transaction_isolation') as isolation,
        '2026-12-01T23:30:00Z'::timestamptz::text as moment,
        current_setting('work_mem') as memory`.execute(other.database)
    expect(rows).toEqual([
      { jit: 'off', isolation: 'read committed', moment: '2026-12-01 23:30:00+00', memory: '7MB' },
    ])
  } finally {
    await other.close()
  }
})

test('a connection that does not answer in time is never used again', async () => {
  const { config } = open
  invariant(config.kind === 'postgres', 'These tests run on PostgreSQL.')
  const pool = new pg.Pool({ connectionString: config.url, max: 1 })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    answerByCallback(client, 300)
  })
  try {
    const pidOf = async (client: pg.PoolClient) =>
      (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
    const first = await pool.connect()
    const pid = await pidOf(first)
    await expect(first.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout')
    await expect(first.query('select 1')).rejects.toThrow('Client was closed')
    first.release()
    const second = await pool.connect()
    expect(await pidOf(second)).not.toBe(pid)
    second.release()
  } finally {
    await pool.end()
  }
})
