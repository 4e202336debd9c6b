import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { snapshotsContract } from '#contract/operator/snapshots.ts'
import type { TokenAmount } from '#domain/money.ts'
import { lockAuditHead } from '#server/database/books/audit-head.ts'
import { buyAndPay } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { endingSale } from '#tests/kit/delivery/frozen-sale.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** More than are written by one statement. */
const OWNERS = 3_000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: endingSale })
  const { database } = app.open
  for (let made = 0; made < OWNERS; made += 1_000) {
    const owners = await manyUsers(database, 1_000)
    await database
      .insertInto('ledger_transfers')
      .values(
        owners.map(({ id }) => ({
          cause_id: null,
          user_id: id,
          source: 'sale:supply',
          destination: `user:${id}`,
          asset: 'token',
          amount: 5n as TokenAmount,
          at: app.clock.now(),
        })),
      )
      .execute()
  }
})
afterAll(() => app.close())

const invite = () =>
  app.client.call(snapshotsContract.inviteUnassigned, { headers: named }, operator)

/** Holds what an act of an operator takes last. */
async function holdAudit(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = app.open.database.transaction().execute(async (transaction) => {
    // However slowly people buy meanwhile.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await lockAuditHead(transaction)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, holding])
  return async () => {
    released.resolve()
    await holding
  }
}

test('people buy while thousands are invited, and nobody invites them a second time', async () => {
  const buyer = await aUser(app)
  const release = await holdAudit()
  const inviting = invite()
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.open.database)
    return rows.length
  }
  // All mails are written, and none of it is done.
  await expect.poll(waiting, { timeout: 15_000 }).toBe(1)
  await buyAndPay(app, buyer)
  expect((await invite()).refusal.message).toContain('at this moment')
  await release()
  expect((await inviting).body).toEqual({ invited: OWNERS })
  expect((await invite()).refusal.message).toContain('within the last day')
})
