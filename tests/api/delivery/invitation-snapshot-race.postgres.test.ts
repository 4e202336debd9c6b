import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { snapshotsContract } from '#contract/operator/snapshots.ts'
import type { TokenAmount } from '#domain/money.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { inviteUnassigned } from '#server/use-cases/snapshots/invite-unassigned.ts'
import { buyAndPay } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { endingSale } from '#tests/kit/delivery/frozen-sale.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'

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

const countMails = async () => {
  const { rows } = await sql<{ mails: number; users: number }>`
    select count(*)::integer as mails, count(distinct user_id)::integer as users
    from outbox_mails where kind = 'wallet_wanted'`.execute(app.open.database)
  return rows[0]
}

/** Whatever is done in the database where more mails are written than one statement writes. */
async function atSecondSlice(statement: string): Promise<void> {
  const { database } = app.open
  await sql`
    create or replace function at_second_slice() returns trigger language plpgsql as $$ begin
      if (select count(*) from outbox_mails where kind = 'wallet_wanted') > 2000 then
        ${sql.raw(statement)};
      end if;
      return null;
    end $$`.execute(database)
  await sql`
    create or replace trigger at_second_slice after insert on outbox_mails
    for each statement execute function at_second_slice()`.execute(database)
}

test('an invitation that breaks off is done again, and nobody is written to twice', async () => {
  const by: Operator = {
    kind: 'token',
    id: null,
    name: 'Olga',
    role: null,
    sessionId: null,
    permissions: [],
    address: '',
  }
  await atSecondSlice("raise exception 'Broken off'")
  await expect(inviteUnassigned(app.services, by)).rejects.toThrow('Broken off')
  expect(await countMails()).toEqual({ mails: 2_000, users: 2_000 })

  // People buy while it is done again, and what was written is seen.
  await atSecondSlice('perform pg_advisory_xact_lock(4711)')
  const release = await hold(app.open.database, (each) =>
    sql`select pg_advisory_xact_lock(4711)`.execute(each),
  )
  const inviting = invite()
  await expectWaiting(app.open.database, 1)
  await buyAndPay(app, await aUser(app))
  expect(await countMails()).toEqual({ mails: 2_000, users: 2_000 })
  expect((await invite()).refusal.message).toContain('right now')
  await release()
  expect((await inviting).body).toEqual({ invited: OWNERS })
  expect(await countMails()).toEqual({ mails: OWNERS, users: OWNERS })
  expect((await invite()).refusal.message).toContain('within the last day')
})
