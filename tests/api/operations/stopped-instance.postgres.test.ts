import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import {
  buyFrom,
  callInstance,
  type Instance,
  mineAt,
  payAt,
  type ServerFleet,
  startFleet,
} from '#tests/kit/servers/server-fleet.ts'

/** What a buyer waits without giving up. */
const SOLD_WITHIN_MS = 5_000
const WAITING = { timeout: 10_000, interval: 20 }

let open: TestDatabase
let url: string
let fleet: ServerFleet
beforeEach(async () => {
  open = await openTestDatabase()
  if (open.config.kind !== 'postgres') throw new Error('This needs a PostgreSQL.')
  url = open.config.url
  fleet = await startFleet(url)
})
afterEach(async () => {
  await fleet.close()
  await open.close()
})

/** An instance whose connections have a name of their own. */
const startNamed = (name: string) =>
  fleet.start({ DATABASE_URL: `${url}?application_name=${name}` })

/**
 * The connection that waits to write into a table that another one has locked. Databases made from
 * one template have the same numbers for their tables.
 */
async function findWaiting(table: string): Promise<{ pid: number; name: string } | undefined> {
  const { rows } = await sql<{ pid: number; name: string }>`
    select pid, application_name as name from pg_stat_activity join pg_locks using (pid)
    where datname = current_database() and relation = ${table}::regclass
      and not granted and mode = 'RowExclusiveLock'`.execute(open.database)
  return rows[0]
}

async function stateOf(pid: number): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select state from pg_stat_activity where pid = ${pid}`.execute(open.database)
  return rows[0]?.state
}

/**
 * Stops one of the instances in the middle of settling a purchase, when it holds the counters of
 * all stages, and gives its name.
 */
async function stopWhileSettling(
  instances: ReadonlyMap<string, Instance>,
  settle: () => Promise<void>,
): Promise<string> {
  const locking = new pg.Client({ connectionString: url })
  // Where the test fails, its database is thrown away with this connection.
  locking.on('error', () => {})
  await locking.connect()
  await locking.query('begin; lock table purchase_status_history in access exclusive mode')
  const settling = settle()
  await expect.poll(() => findWaiting('purchase_status_history'), WAITING).toBeDefined()
  const { pid, name } = (await findWaiting('purchase_status_history')) ?? { pid: 0, name: '' }
  instances.get(name)?.process.kill('SIGSTOP')
  await locking.end()
  await expect.poll(() => stateOf(pid), WAITING).toBe('idle in transaction')
  // What was asked of the stopped instance is answered once it goes on.
  settling.catch(() => {})
  return name
}

test('an instance that stops in the middle of a booking keeps the others from selling for less than five seconds', async () => {
  const instances = new Map([
    ['one', await startNamed('one')],
    ['two', await startNamed('two')],
  ])
  const instanceOf = (name: string) => {
    const instance = instances.get(name)
    if (instance === undefined) throw new Error(`There is no instance ${name}.`)
    return instance
  }
  const [buyer] = await manyUsers(open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const { body: first } = await buyFrom(instanceOf('one'), buyer)

  const stopped = await stopWhileSettling(instances, async () => {
    await payAt(instanceOf('one'), first.data)
  })
  const others = instanceOf(stopped === 'one' ? 'two' : 'one')
  const askedAt = performance.now()
  const sold = await buyFrom(others, buyer)
  expect(sold).toMatchObject({ status: 201 })
  expect(performance.now() - askedAt).toBeLessThan(SOLD_WITHIN_MS)

  instanceOf(stopped).process.kill('SIGCONT')
  expect(await buyFrom(instanceOf(stopped), buyer)).toMatchObject({ status: 201 })
  await mineAt(others)
  await expect
    .poll(
      () => callInstance(others, 'GET', `/transactions/${first.data.id}`, { user: buyer }),
      WAITING,
    )
    .toMatchObject({ body: { status: 'completed' } })
  expect(instanceOf(stopped).process.exitCode).toBeNull()
  expect(await listBrokenInvariants(open.database)).toEqual([])
}, 60_000)
