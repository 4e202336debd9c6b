import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { aPurchase, buyAndPay } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let database: Database
beforeAll(async () => {
  app = await startApp()
  database = app.open.database
  const buyer = await aUser(app)
  await buyAndPay(app, buyer)
  await aPurchase(app, buyer)
})
afterAll(() => app.close())

describe('money in the database', () => {
  it('is of one type in every column', async () => {
    const { rows } = await sql`
      select table_name, column_name from information_schema.columns
      where table_schema = 'public' and domain_name is distinct from 'base_units'
        and data_type in ('numeric', 'real', 'double precision', 'money')`.execute(database)
    expect(rows).toEqual([])
  })

  it('is never negative and never NaN', async () => {
    for (const amount of ['-1', 'NaN']) {
      await expect(
        sql`update purchases set credited_usd = ${amount}::numeric`.execute(database),
      ).rejects.toThrow('base_units_are_natural')
    }
  })

  it('cannot be oversold by whatever statement', async () => {
    await expect(
      sql`update stage_counters set reserved = supply - sold + 1`.execute(database),
    ).rejects.toThrow('never_oversold')
  })
})

describe('the ledger and the histories', () => {
  it.each([
    'ledger_transfers',
    'purchase_status_history',
    'operator_marks',
    'derived_addresses',
    'payout_psbts',
    'refund_payments',
    'operator_actions',
    'snapshots',
    'snapshot_leaves',
    'snapshot_nodes',
    'snapshot_owners',
    'distribution_rows',
    'distribution_nodes',
    'distribution_files',
    'distribution_parts',
    'sale_files',
  ])('%s takes new rows only', async (table) => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name = ${table} and is_identity = 'NO' limit 1`.execute(database)
    const [name, column] = [sql.table(table), sql.ref(rows[0]?.name ?? '')]
    for (const change of [
      sql`delete from ${name}`,
      sql`truncate ${name} cascade`,
      sql`update ${name} set ${column} = ${column} where false`,
    ]) {
      await expect(change.execute(database)).rejects.toThrow('is append-only')
    }
  })
})

describe('the check of invariants', () => {
  it('finds nothing where all is well', async () => {
    expect(await listBrokenInvariants(database)).toEqual([])
  })

  it.each([
    ['a counter that is off', sql`update stage_counters set sold = sold + 1`],
    ['a purchase that holds too much', sql`update purchases set held = held + 1`],
    ['a status that nobody recorded', sql`update purchases set status = 'failed'`],
    ['a receipt that the ledger has not', sql`update receipts set booked = booked - 1`],
    [
      'a mail that was never written',
      sql`delete from outbox_mails where kind = 'purchase_created'`,
    ],
    [
      'tokens from nowhere',
      sql`insert into ledger_transfers (user_id, source, destination, asset, amount, at)
        select id, 'nowhere', 'user:' || id, 'token', 1, now() from users`,
    ],
  ])('finds %s', async (_name, harm) => {
    const attempt = database.transaction().execute(async (transaction) => {
      await harm.execute(transaction)
      const faults = await listBrokenInvariants(transaction)
      throw new Error(faults.length > 0 ? 'found' : 'missed')
    })
    await expect(attempt).rejects.toThrow('found')
  })
})
