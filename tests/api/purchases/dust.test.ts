import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import {
  aPurchase,
  expectAllWell,
  lookAt,
  mine,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { passTheDay, tryToApprove, tryToClaim } from '#tests/kit/builders/a-claim.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** More than one statement takes, by any of the tables that they are written to. */
const SPECKS = 10_000

let app: TestApp
let attacker: RegisteredUser
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  attacker = await aUser(app)
  buyer = await aUser(app)
})
afterEach(async () => {
  // As autovacuum does within a minute: plans for empty tables can take longer than a check may.
  await sql`analyze`.execute(app.open.database)
  await expectAllWell(app)
  await app.close()
})

/** Thousands of payments of next to nothing to one address, which come with one block. */
async function sendDust(address: string, paymentTokenId: string | null): Promise<void> {
  await sql`
    insert into sandbox_transfers
      (transaction_hash, address, payment_token_id, amount, sent_at, revision)
    select 'speck-' || speck, ${address}, ${paymentTokenId}, 1000000000, ${app.clock.now()},
      (select revision + 1 from sandbox_chain)
    from generate_series(1, ${SPECKS}::int) as speck`.execute(app.open.database)
  await sql`update sandbox_chain set revision = revision + 1`.execute(app.open.database)
}

test('thousands of payments to one address keep nobody from being credited or paid back', async () => {
  const owed = await anOwedPurchase(app, attacker)
  const target = await aPurchase(app, attacker)
  const purchase = await aPurchase(app, buyer)
  await pay(app, target)
  await sendDust(target.payment_address ?? '', 'eth')
  await pay(app, purchase)
  await mine(app, 2)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  expect(await lookAt(app, attacker, target)).toMatchObject({ status: 'completed' })
  const { count } = await app.open.database
    .selectFrom('receipts')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(SPECKS + 3)

  const claimed = await tryToClaim(app, attacker)
  expect(claimed.status).toBe(201)
  expect(claimed.body.transaction_ids).toContain(owed.purchase.id)
  await passTheDay(app)
  expect((await tryToApprove(app, claimed.body)).body.state).toBe('approved')
}, 120_000)

test('nor do thousands of worthless transfers', async () => {
  const target = await aPurchase(app, attacker)
  const purchase = await aPurchase(app, buyer)
  await pay(app, purchase)
  await sendDust(target.payment_address ?? '', null)
  await mine(app, 2)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
}, 120_000)
