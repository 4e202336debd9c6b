import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { claim, passTheDay, tryToApprove } from '#tests/kit/builders/a-claim.ts'
import { aPurchase, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterAll(() => app.close())

const run = (change: RawBuilder<unknown>) => change.execute(app.open.database)
const expectRefused = (change: RawBuilder<unknown>, why: string) =>
  expect(run(change)).rejects.toThrow(why)

test('a purchase that is undone stays so, and no right to withdraw gets shorter', async () => {
  const { id } = await aPurchase(app, await aUser(app))
  const set = (what: RawBuilder<unknown>) => sql`update purchases set ${what} where id = ${id}`
  await run(set(sql`withdrawable_until = created_at + interval '9 days'`))
  await run(set(sql`reversal = 'soft_cap', reversed_at = created_at`))
  for (const what of [
    sql`reversal = null, reversed_at = null`,
    sql`reversed_at = created_at + interval '1 day'`,
    sql`withdrawable_until = created_at + interval '8 days'`,
    sql`withdrawable_until = null`,
  ]) {
    await expectRefused(set(what), 'is undone for good')
  }
})

test('a refund claim stays what was asked for, and goes one way', async () => {
  const buyer = await aUser(app)
  await anOwedPurchase(app, buyer)
  const claimed = await claim(app, buyer)
  const set = (what: RawBuilder<unknown>) =>
    sql`update refund_claims set ${what} where id = ${claimed.id}`
  for (const what of [sql`address = 'a-thief'`, sql`amount = amount + 1`, sql`fee = fee + 1`]) {
    await expectRefused(set(what), 'What was claimed does not change')
  }
  await expectRefused(set(sql`state = 'batched'`), 'is claimed and cannot be batched')
  await passTheDay(app)
  expect((await tryToApprove(app, claimed)).status).toBe(200)
  await expectRefused(set(sql`state = 'cancelled'`), 'is approved and cannot be cancelled')
  await expectRefused(set(sql`state = 'confirmed'`), 'is approved and cannot be confirmed')
  await expectRefused(sql`delete from refund_claims`, 'Refund claims are kept')
})

test('an index of a key that was used is never free again', async () => {
  await run(sql`
    insert into pinned_keys (name, fingerprint, is_current, next_index, pinned_at)
    values ('OTHER_XPUB', '0123456789abcdef', true, 5, now())`)
  const set = (index: number) =>
    sql`update pinned_keys set next_index = ${index} where name = 'OTHER_XPUB'`
  await run(set(6))
  await expectRefused(set(5), 'is never used again')
})

test('what was signed to sweep stays as it was signed, and what has ended has', async () => {
  const sweepId = crypto.randomUUID()
  await run(sql`
    insert into sweeps (id, chain, treasury, payer, file_hash, kept_at)
    values (${sweepId}, 'eip155:1', '0xa', '0xb', ${'0'.repeat(64)}, now())`)
  await run(sql`
    insert into sweep_transactions (
      sweep_id, place, kind, transaction_hash, raw, sender, nonce, address, amount, fee, state,
      block_height
    ) values (${sweepId}, 0, 'coins', '0xc', '0xd', '0xe', 1, '0xe', 5, 1, 'confirmed', 9)`)
  const set = (what: RawBuilder<unknown>) =>
    sql`update sweep_transactions set ${what} where sweep_id = ${sweepId}`
  for (const what of [sql`raw = '0xf'`, sql`amount = 6`, sql`nonce = 2`]) {
    await expectRefused(set(what), 'What was signed does not change')
  }
  await expectRefused(set(sql`state = 'waiting'`), 'is confirmed and stays so')
  await expectRefused(sql`delete from sweep_transactions`, 'Transactions of sweeps are kept')
})
