import { createQueryId, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { checkInvariants } from '#server/database/books/check-books.ts'
import { replaceBalances, sumTransfers } from '#server/database/books/unchecked.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { pauseSale, resumeSale } from '#server/use-cases/operations/pause-sale.ts'
import {
  aPurchase,
  buyAndPay,
  mine,
  part,
  pay,
  quickSale,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { expectWaiting } from '#tests/kit/servers/database.ts'

const BUYERS = 40
const ROUNDS = 5

let app: TestApp
/** What a test that runs out of time has begun; it ends before its server does. */
let begun: readonly Promise<unknown>[]
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  begun = []
})
afterEach(async () => {
  await Promise.allSettled(begun)
  await app.close()
})

test('a sale in full swing never looks broken', async ({ signal }) => {
  const buyers = await manyUsers(app.open.database, BUYERS)
  const selling = { isOver: false }
  let checks = 0
  const guard = async () => {
    while (!selling.isOver) {
      const { breaches, notRun } = await inspectInvariants(app.services)
      expect({ breaches, notRun }).toEqual({ breaches: [], notRun: [] })
      checks += 1
    }
  }
  const sell = async () => {
    for (let round = 0; round < ROUNDS && !signal.aborted; round += 1) {
      await Promise.all(
        buyers.map(async (buyer, index) => {
          const purchase = await aPurchase(app, buyer, { usd: 20 + index })
          await pay(app, purchase, part(purchase, [0.5, 1, 1.5][index % 3] ?? 1))
        }),
      )
      await mine(app, 2)
    }
  }
  begun = [guard(), sell().finally(() => (selling.isOver = true))]
  await Promise.all(begun)
  expect(checks).toBeGreaterThan(ROUNDS)
  const [first] = buyers
  expect(first && (await tryToBuy(app, first, { usd: 20 })).status).toBe(201)
  expect(app.complaints).toEqual([])
})

test('a check that takes too long is given up, and what it was to look at is not forgotten', async () => {
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is no user.')
  const purchase = await aPurchase(app, buyer)
  await sql`update purchases set status = 'failed' where id = ${purchase.id}`.execute(
    app.open.database,
  )
  let letGo = () => {}
  const released = new Promise<void>((resolve) => (letGo = resolve))
  let onLocked = () => {}
  const locked = new Promise<void>((resolve) => (onLocked = resolve))
  const locking = app.open.database.transaction().execute(async (transaction) => {
    await sql`lock table purchase_status_history in access exclusive mode`.execute(transaction)
    onLocked()
    await released
  })
  await locked
  const { breaches, notRun } = await checkInvariants(app.open.database, 300)
  letGo()
  await locking
  expect(breaches.map(({ check }) => check)).toEqual([])
  expect(notRun).toEqual([
    { check: 'new_rows_of_purchase_status_history', fault: expect.any(String) },
    { check: 'history_tells_status', fault: expect.stringContaining('statement timeout') },
  ])
  const next = await checkInvariants(app.open.database, 10_000)
  expect(next.notRun).toEqual([])
  expect(next.breaches.map(({ check }) => check)).toContain('history_tells_status')
})

test('a row that gets its number before others and is committed after them is looked at', async () => {
  const { database } = app.open
  const [buyer] = await manyUsers(database, 1)
  if (buyer === undefined) throw new Error('There is no user.')
  const purchase = await aPurchase(app, buyer)
  let commit = () => {}
  const released = new Promise<void>((resolve) => (commit = resolve))
  let onWritten = () => {}
  const written = new Promise<void>((resolve) => (onWritten = resolve))
  const insert = sql`insert into purchase_status_history (purchase_id, status, at)
    values (${purchase.id}, 'failed', now())`
  const writing = database.transaction().execute(async (transaction) => {
    await insert.execute(transaction)
    onWritten()
    await released
  })
  await written
  const other = await aPurchase(app, buyer)
  const during = await checkInvariants(database, 10_000)
  expect(during.notRun.map(({ check }) => check)).toEqual(['new_rows_of_purchase_status_history'])
  commit()
  await writing
  const { breaches, notRun } = await checkInvariants(database, 10_000)
  expect(notRun).toEqual([])
  expect(breaches).toMatchObject([{ check: 'history_tells_status', subject: purchase.id }])
  expect(other.id).not.toBe(purchase.id)
})

test('the first audit of a new database does not undo the first check that ran beside it', async () => {
  const { database } = app.open
  const [buyer] = await manyUsers(database, 1)
  if (buyer === undefined) throw new Error('There is no user.')
  await aPurchase(app, buyer)
  await sql`delete from checked_through`.execute(database)
  await sql`delete from checked_balances`.execute(database)
  const checked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  // What the first check writes, in a transaction that is still open when the audit gets there.
  const checking = database.transaction().execute(async (transaction) => {
    await sql`lock table checked_balances in share row exclusive mode`.execute(transaction)
    const { rows } = await sql<{ last: bigint }>`
      insert into checked_through (table_name, row_id)
      select 'ledger_transfers', max(id) from ledger_transfers
      returning row_id as last`.execute(transaction)
    await sql`
      insert into checked_balances (account, asset, received, given)
      ${sumTransfers(0n, rows[0]?.last ?? 0n)}`.execute(transaction)
    checked.resolve()
    await released.promise
  })
  await Promise.race([checked.promise, checking])
  const auditing = replaceBalances(database, [], 0n)
  await expectWaiting(database, 1)
  released.resolve()
  await Promise.all([checking, auditing])
  expect(await checkInvariants(database, 10_000)).toMatchObject({ breaches: [], notRun: [] })
})

const olga: Operator = {
  kind: 'token',
  id: null,
  name: 'Olga',
  role: null,
  sessionId: null,
  permissions: ['sale.pause', 'sale.resume'],
  address: '127.0.0.1',
}

/** The last thing before the first page of what was noted is looked at; the sums come before. */
const BEFORE_PAGE = { names: `set_config('jit'`, nth: 2 }
/** The last thing before the pause is locked and ended. */
const BEFORE_RESUMING = { names: 'file_id', nth: 1 }

/** The same server, where something else happens right after its nth statement of one kind. */
function interrupted(
  { names, nth }: { names: string; nth: number },
  act: () => Promise<unknown>,
): Services {
  const { database } = app.open
  const queries: unknown[] = []
  const slow = database.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const query = database.getExecutor().compileQuery(node, createQueryId())
      if (query.sql.includes(names)) queries.push(queryId)
      return node
    },
    transformResult: async ({ queryId, result }) => {
      if (queries.indexOf(queryId) === nth - 1) await act()
      return result
    },
  })
  return { ...app.services, database: slow }
}

const inspect = () => inspectInvariants(app.services)
const resume = (services: Services, isForced = false) =>
  resumeSale(services, { isForced }, olga).catch((fault: unknown) => fault)
const stateOfSale = async () =>
  (await app.client.call(operatorContract.getSaleState, {}, operator)).body

const sellTooMuch = () =>
  sql`update stage_counters set sold = sold + 7 where stage_id = 'stage-1'`.execute(
    app.open.database,
  )

async function breakReceipts(): Promise<void> {
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is no user.')
  await buyAndPay(app, buyer)
  await sql`update receipts set settled_amount = null, settled_confirmations = null`.execute(
    app.open.database,
  )
}

describe('a sale that is being resumed', () => {
  test('stays paused by whoever pauses it while its books are checked', async () => {
    await pauseSale(app.services, 'Maintenance', olga)
    const services = interrupted(BEFORE_PAGE, () =>
      pauseSale(app.services, 'Keys were stolen', olga),
    )
    expect(await resume(services)).toMatchObject({
      reason: 'ApprovalChanged',
      message: 'The sale was paused or resumed while its books were checked. Look at it again',
    })
    expect((await stateOfSale()).pause?.reason).toBe('Maintenance; and: Keys were stolen')
    expect(await resume(app.services)).toMatchObject({ pause: { paused: null } })
  })

  test.each([
    ['while its books are checked', BEFORE_PAGE],
    ['once they were', BEFORE_RESUMING],
  ])('stays paused if another check finds a breach %s', async (_, moment) => {
    await pauseSale(app.services, 'Maintenance', olga)
    const services = interrupted(moment, async () => {
      await sellTooMuch()
      await inspect()
    })
    expect(await resume(services)).toMatchObject({ reason: 'BooksDisagree' })
    const { pause, check } = await stateOfSale()
    expect(pause?.reason).toBe('Maintenance')
    expect(check?.breaches).toHaveLength(1)
  })
})

describe('two checks at once', () => {
  test('both find what is known to be broken', async () => {
    await breakReceipts()
    await inspect()
    expect(await resume(interrupted(BEFORE_PAGE, inspect))).toMatchObject({
      reason: 'BooksDisagree',
    })
    expect(await stateOfSale()).toMatchObject({
      pause: { reason: expect.stringMatching(/^The books do not agree/) },
      check: { breaches: [{}] },
    })
  })

  test('leave accepted what an operator has accepted', async () => {
    await breakReceipts()
    await inspect()
    await resume(app.services, true)
    await inspectInvariants(interrupted(BEFORE_PAGE, inspect))
    await inspect()
    expect(await stateOfSale()).toMatchObject({
      pause: null,
      check: { breaches: [{ is_accepted: true }] },
    })
  })

  test('report what either has found, until the next one', async () => {
    const services = interrupted(BEFORE_PAGE, async () => {
      await sellTooMuch()
      await inspect()
      await resume(app.services, true)
    })
    await inspectInvariants(services)
    expect(await stateOfSale()).toMatchObject({
      pause: null,
      check: { breaches: [{ is_accepted: true }] },
    })
    await sql`update stage_counters set sold = sold - 7 where stage_id = 'stage-1'`.execute(
      app.open.database,
    )
    await inspect()
    expect((await stateOfSale()).check?.breaches).toEqual([])
  })

  test('find it wherever they meet', async () => {
    await breakReceipts()
    await inspect()
    for (let round = 0; round < 5; round += 1) {
      await sql`
        insert into unchecked (kind, subject)
        select 'purchase', gen_random_uuid()::text from generate_series(1, 5000)`.execute(
        app.open.database,
      )
      const reports = await Promise.all(Array.from({ length: 3 }, inspect))
      expect(reports.map(({ breaches, notRun }) => [breaches.length, notRun])).toEqual(
        Array.from({ length: 3 }, () => [1, []]),
      )
    }
  })
})
