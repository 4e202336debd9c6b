import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { auditBooks } from '#server/database/books/audit-books.ts'
import { checkInvariants } from '#server/database/books/check-books.ts'
import { createAudit } from '#server/use-cases/operations/audit-books.ts'
import { guardInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { aPurchase, buyAndPay } from '#tests/kit/builders/a-purchase.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000
const TIMEOUT_MS = 10_000

type Harm = [check: string, harm: RawBuilder<unknown>]

/** Of each check, changes that break what it is about; those of a list hide none of it. */
const harms: Harm[][] = [
  [
    ['unpaid_is_counted', sql`update stage_counters set unpaid = unpaid + 1`],
    ['purchase_is_in_ledger', sql`update purchases set held = held + 1 where status = 'completed'`],
    ['credited_is_given', sql`update purchases set credited_base = credited_base + 1`],
    ['money_is_used_once', sql`update purchases set credited_crypto = credited_crypto + 1`],
    [
      'history_tells_status',
      sql`insert into purchase_status_history (purchase_id, status, at)
        select id, 'failed', now() from purchases`,
    ],
    [
      'transfer_has_cause',
      sql`insert into ledger_transfers (source, destination, asset, amount, at)
        values ('chain:eth', 'nowhere', 'eth', 1, now())`,
    ],
    ['ledger_agrees', sql`update stage_counters set reserved = reserved + 1`],
    ['balance_is_given', sql`update rewards set tokens = tokens + 1`],
    ['rewards_are_earned', sql`update rewards set status = 'failed'`],
    ['buyers_are_told', sql`delete from outbox_mails where kind = 'purchase_created'`],
    [
      'one_first_purchase',
      sql`update purchases set credited_bonuses = '{"first_purchase_bonus":"1"}'
        where status = 'completed'`,
    ],
    ['receipts_are_shown', sql`update receipts set settled_confirmations = 1`],
    ['receipts_are_booked', sql`update receipts set is_gone = true`],
  ],
  [
    ['purchase_is_in_ledger', sql`update receipts set booked = booked + 1`],
    [
      'balance_is_given',
      sql`insert into ledger_transfers (cause_id, user_id, source, destination, asset, amount, at)
        select id, referrer_id, 'sale:supply', 'user:' || referrer_id, 'token', 1, now()
        from rewards`,
    ],
    [
      'buyers_are_told',
      sql`update outbox_mails set unique_key = 'another:' || id where kind = 'purchase_created'`,
    ],
  ],
  [['purchase_is_in_ledger', sql`delete from purchases where status = 'pending'`]],
  [
    [
      'purchase_is_in_ledger',
      sql`insert into refunds_due (receipt_id, purchase_id, amount, why, since)
        select id, purchase_id, 1, 'late', now() from receipts`,
    ],
  ],
  [
    [
      'reversed_gives_nothing',
      sql`update purchases set reversal = 'soft_cap', reversed_at = now()
        where status = 'completed'`,
    ],
    [
      'owed_transfer_is_receipt',
      sql`with sent as (
          insert into foreign_transfers (
            id, purchase_id, chain, transaction_hash, output_index, asset, amount, seen_at, state,
            reason, decided_at
          )
          select gen_random_uuid(), id, 'sandbox', id::text, 0, '0xfa', 1, now(), 'owed', 'x', now()
          from purchases
        )
        update purchases set confirmations = confirmations`,
    ],
  ],
]

/** What the schema refuses while its triggers and keys are on. */
const silentHarms: Harm[] = [
  ['purchases_have_users', sql`update purchases set user_id = gen_random_uuid()`],
  ['mails_have_users', sql`update outbox_mails set user_id = gen_random_uuid()`],
  ['transfer_has_cause', sql`update ledger_transfers set cause_id = gen_random_uuid()`],
  ['purchase_is_in_ledger', sql`update ledger_transfers set amount = 1 where asset <> 'token'`],
  ['ledger_agrees', sql`update ledger_transfers set amount = 1 where source like 'stage:%'`],
  ['balance_is_given', sql`update ledger_transfers set amount = 1 where user_id is not null`],
]

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp()
  const referrer = await aUser(app)
  buyer = await aUser(app, { referrals: { referred_by: referrer.user.id } })
  await buyAndPay(app, buyer, { usd: 1_000 })
  await buyAndPay(app, buyer)
  await aPurchase(app, buyer)
})
afterEach(() => app.close())

async function found(): Promise<string[]> {
  const { breaches, notRun } = await checkInvariants(app.open.database, TIMEOUT_MS)
  expect(notRun).toEqual([])
  return [...new Set(breaches.map(({ check }) => check))]
}

async function audit(): Promise<void> {
  for await (const notRun of auditBooks(app.open.database, TIMEOUT_MS)) expect(notRun).toEqual([])
}

/** As a fault of the disk would, or whoever switches triggers off. */
async function harmSilently(harm: RawBuilder<unknown>): Promise<void> {
  await app.open.database.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await harm.execute(transaction)
  })
}

test('what was bought and paid for is in order, once and again', async () => {
  expect(await found()).toEqual([])
  await audit()
  expect(await found()).toEqual([])
  expect(await app.open.database.selectFrom('unchecked').selectAll().execute()).toEqual([])
})

test.each(harms.entries().toArray())(
  'the next check finds what was just changed (%i)',
  async (_, list) => {
    for (const [check, harm] of list) {
      expect(await found()).not.toContain(check)
      await harm.execute(app.open.database)
      expect(await found()).toContain(check)
      // It is broken until it is mended, however often it is looked at.
      expect(await found()).toContain(check)
    }
  },
)

test('the audit finds what no event reports', async () => {
  const [shown = []] = harms
  const byRow = shown.filter(
    ([check]) =>
      ![
        'ledger_agrees',
        'unpaid_is_counted',
        'transfer_has_cause',
        'history_tells_status',
      ].includes(check),
  )
  expect(await found()).toEqual([])
  for (const [, harm] of byRow) await harmSilently(harm)
  expect(await found()).toEqual([])
  await audit()
  expect(await found()).toEqual(expect.arrayContaining(byRow.map(([check]) => check)))
})

test.each(silentHarms)('the audit finds what the schema refuses: %s', async (check, harm) => {
  expect(await found()).toEqual([])
  await harmSilently(harm)
  expect(await found()).toEqual([])
  await audit()
  expect(await found()).toContain(check)
})

test('what is fixed is in order again', async () => {
  await sql`update purchases set held = held + 1`.execute(app.open.database)
  expect(await found()).toContain('purchase_is_in_ledger')
  await sql`update purchases set held = held - 1`.execute(app.open.database)
  expect(await found()).toEqual([])
})

describe('the audit of a running sale', () => {
  const state = async () =>
    (await app.client.call(operatorContract.getSaleState, {}, operator)).body

  async function auditToday(): Promise<void> {
    const before = (await state()).audit?.ended_date
    const step = createAudit()
    await step(app.services)
    await expect
      .poll(async () => {
        await step(app.services)
        return (await state()).audit?.ended_date
      })
      .not.toBe(before)
  }

  test('is made once a day, and has the guard pause the sale', async () => {
    await auditToday()
    const first = await state()
    expect(first.audit?.not_run).toEqual([])
    await createAudit()(app.services)
    expect((await state()).audit).toEqual(first.audit)
    expect(await found()).toEqual([])
    await harmSilently(sql`update purchases set credited_base = credited_base + 1`)
    await app.passTime(DAY_MS)
    await guardInvariants(app.services)
    expect((await state()).pause).toBeNull()
    await auditToday()
    await app.passTime(60_001)
    await guardInvariants(app.services)
    expect((await state()).pause?.reason).toMatch(/was credited \d+ tokens and given \d+/)
  })

  test('says what could not be looked at', async () => {
    await sql`alter table rewards rename to lost_rewards`.execute(app.open.database)
    await auditToday()
    await sql`alter table lost_rewards rename to rewards`.execute(app.open.database)
    const { audit: last } = await state()
    expect(last?.not_run.map(({ check }) => check)).toContain('rewards_are_earned')
    expect(app.complaints.map(({ message }) => message)).toEqual([
      expect.stringContaining('Not all of the books could be checked'),
    ])
  })
})
