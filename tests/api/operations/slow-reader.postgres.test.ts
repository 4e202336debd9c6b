import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { readAllocations } from '#server/database/books/allocations.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'

/** More than one batch. */
const OWNERS = 1_500
/** Longer than a connection that could block others may be idle. */
const PAUSE_SECONDS = 4

let open: TestDatabase
beforeAll(async () => {
  open = await openTestDatabase()
  const owners = await manyUsers(open.database, OWNERS)
  await open.database
    .insertInto('ledger_transfers')
    .values(
      owners.map(({ id }) => ({
        cause_id: id,
        user_id: id,
        asset: 'token',
        source: 'stage:one',
        destination: `user:${id}`,
        amount: 5n,
        at: new Date(),
      })),
    )
    .execute()
})
afterAll(() => open.close())

test('a slow reader of the list of allocations gets all of it', async () => {
  const batches = readAllocations(open.database)
  const first = await batches.next()
  const isPausedLongEnough = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'
        and state_change < now() - make_interval(secs => ${PAUSE_SECONDS})`.execute(open.database)
    return rows.length > 0
  }
  await expect.poll(isPausedLongEnough, { timeout: 15_000 }).toBe(true)
  let owners = first.value?.length ?? 0
  for await (const batch of batches) owners += batch.length
  expect(owners).toBe(OWNERS)
})
