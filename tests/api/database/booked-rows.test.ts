import { randomBytes, randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { PurchaseRequest } from '#domain/sale/booking.ts'
import { ALL, cryptoAmount, percentage, price, tokenAmount, usd } from '#domain/money.ts'
import { reservationTransfers } from '#domain/settlement/ledger.ts'
import { newPurchase } from '#domain/settlement/stored-purchase.ts'
import { transferRows } from '#server/database/books/ledger.ts'
import { mailRow } from '#server/database/books/outbox.ts'
import { createPurchases } from '#server/database/purchases/create-purchases.ts'
import { purchaseRow } from '#server/database/purchases/purchase.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { someTerms } from '#tests/kit/builders/domain-builders.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { patiently } from '#tests/kit/model/random-runs.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** What the function in the schema writes by itself is what the rest of the code says it is. */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const TOKEN_PRICE = price(10n ** 12n)

async function aStageWithRoom(): Promise<string> {
  const id = `stage-${randomUUID()}`
  await app.open.database
    .insertInto('stage_counters')
    .values({
      stage_id: id,
      supply: tokenAmount(10n ** 30n),
      reserved: tokenAmount(0n),
      sold: tokenAmount(0n),
      token_price: TOKEN_PRICE,
    })
    .execute()
  return id
}

function aRequest(stageId: string, userId: string, place = 0): PurchaseRequest {
  const createdAt = new Date(Date.now() + place)
  const terms = someTerms({
    stageId,
    usd: usd(1_000_000n + BigInt(place)),
    tokenPrice: TOKEN_PRICE,
    cryptoDue: cryptoAmount(7n + BigInt(place)),
    reserved: tokenAmount(100n + BigInt(place)),
    lockedBonuses: { flat: { base_bonus: percentage(100_000n) }, spending: [] },
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 60_000),
    graceEndsAt: new Date(createdAt.getTime() + 90_000),
  })
  const { flat } = terms.lockedBonuses
  return {
    id: randomUUID(),
    userId,
    idempotencyKey: String.raw`"${place}" {a,\b}`,
    fingerprint: `NULL, ${place}`,
    saleFileId: app.services.saleFileId,
    connectionHash: place % 2 === 0 ? randomBytes(32) : null,
    bounds: {
      openPerUserMax: 10,
      worthPerUserMax: null,
      worthPerConnectionMax: usd(10n ** 18n),
      unpaidShare: ALL,
      shareMin: usd(0n),
    },
    rail: 'sandbox',
    chain: 'sandbox',
    address: `an "address" of \\ ${randomUUID()}`,
    paymentId: 'null',
    derivationIndex: place % 2 === 0 ? null : place,
    priceSources: [{ feed: `feed "${place}"`, price: price(5n), at: createdAt }],
    terms,
    firstTerms: {
      ...terms,
      reserved: tokenAmount(terms.reserved + 5n),
      lockedBonuses: { flat: { ...flat, first_purchase_bonus: percentage(50_000n) }, spending: [] },
    },
  }
}

describe('purchases that are booked', () => {
  it('are stored with all that belongs to them, as the domain has it', async () => {
    const { database } = app.open
    const stageId = await aStageWithRoom()
    const users = await manyUsers(database, 8)
    const [old] = users
    if (old === undefined) throw new Error('Users were to be made.')
    await createPurchases(app.open, stageId, [aRequest(stageId, old.id)])
    const requests = users.map(({ id }, place) => aRequest(stageId, id, place + 1))
    const bookings = await createPurchases(app.open, stageId, requests)
    expect(bookings.map(({ outcome, isFirst }) => [outcome, isFirst])).toEqual(
      users.map((user) => ['created', user !== old]),
    )

    for (const [place, request] of requests.entries()) {
      const expected = newPurchase(request, bookings[place]?.isFirst === true)
      const byPurchase = { purchase_id: request.id }
      const row = await database
        .selectFrom('purchases')
        .selectAll()
        .where('id', '=', request.id)
        .executeTakeFirstOrThrow()
      const { connection_hash: hash, ...rest } = row
      const { connection_hash: expectedHash, ...expectedRest } = purchaseRow(expected)
      expect(rest).toEqual(expectedRest)
      expect(hash && Buffer.from(hash)).toEqual(expectedHash && Buffer.from(expectedHash))
      expect(
        await database
          .selectFrom('purchase_status_history')
          .select(['purchase_id', 'status', 'status_reason', 'at'])
          .where('purchase_id', '=', request.id)
          .execute(),
      ).toEqual([
        { ...byPurchase, status: 'pending', status_reason: null, at: expected.terms.createdAt },
      ])
      const { stageId: at, reserved, createdAt } = expected.terms
      const entries = reservationTransfers(at, reserved).map((transfer) => ({
        ...transfer,
        causeId: request.id,
        userId: request.userId,
      }))
      expect(
        await database
          .selectFrom('ledger_transfers')
          .select(['cause_id', 'user_id', 'source', 'destination', 'asset', 'amount', 'at'])
          .where('cause_id', '=', request.id)
          .execute(),
      ).toEqual(transferRows(entries, createdAt))
      const mail = mailRow({
        userId: request.userId,
        kind: 'purchase_created',
        params: byPurchase,
        uniqueKey: `purchase_created:${request.id}`,
        at: createdAt,
      })
      expect(
        await database
          .selectFrom('outbox_mails')
          .select([
            'user_id',
            'kind',
            'params',
            'unique_key',
            'recipient',
            'created_at',
            'attempts',
          ])
          .where('unique_key', '=', mail.unique_key)
          .execute(),
      ).toEqual([mail])
    }
  })

  it('need an account, and are refused alone where there is none', async () => {
    const stageId = await aStageWithRoom()
    const [known] = await manyUsers(app.open.database, 1)
    if (known === undefined) throw new Error('A user was to be made.')
    const bookings = await createPurchases(
      app.open,
      stageId,
      [known.id, randomUUID()].map((id) => aRequest(stageId, id)),
    )
    expect(bookings.map(({ outcome }) => outcome)).toEqual(['created', 'no_account'])
  })

  it('leave the cached market as the next reading has it', async () => {
    const { market } = app.services
    const stageId = await aStageWithRoom()
    const users = await manyUsers(app.open.database, 40)
    await market.read()
    const booked = await Promise.all(
      users.map(({ id }, place) => app.services.bookPurchase(aRequest(stageId, id, place))),
    )
    expect(booked.every(({ outcome }) => outcome === 'created')).toBe(true)
    const cached = (await market.read()).progress.get(stageId)
    expect(cached?.reserved).toBeGreaterThan(0n)
    expect(cached).toEqual((await market.readNow()).progress.get(stageId))
  })

  it('are followed by the cached market, also where they are notified before they are answered', async () => {
    const { market, live } = app.services
    let at = performance.now()
    // Otherwise a slow machine's reading would be too old by the end.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (at += 0.001))
    const stageId = await aStageWithRoom()
    market.invalidate()
    const before = (await market.read()).progress.get(stageId)
    if (before === undefined) throw new Error('The stage was to have a counter.')
    const [id, elsewhere] = [randomUUID(), randomUUID()]
    const booked = { ...before, reserved: tokenAmount(before.reserved + 1n) }
    const end = market.expectBooking(stageId, [id])
    live.notifyLocal({ kind: 'purchase', userId: id, transactionId: id })
    end(booked)
    // What nobody has stored is not what a new reading would have.
    expect((await market.read()).progress.get(stageId)?.reserved).toBe(booked.reserved)
    live.notifyLocal({ kind: 'purchase', userId: elsewhere, transactionId: elsewhere })
    expect((await market.read()).progress.get(stageId)).toEqual(before)
    clock.mockRestore()
  })

  it(
    'read a few rows each, however many there are and whenever the statement was planned',
    async () => {
      const { database } = app.open
      const stageId = await aStageWithRoom()
      const users = await manyUsers(database, 300)
      // One connection, whose plans are made while each table is nearly empty.
      await database.connection().execute(async (connection) => {
        const book = async (from: number, to: number) =>
          await createPurchases(
            { runNamed: runOn(connection) },
            stageId,
            users.slice(from, to).map(({ id }, place) => aRequest(stageId, id, from + place)),
          )
        await book(0, 1)
        await sql`analyze purchases, first_purchases, outbox_mails`.execute(connection)
        for (let from = 1; from < users.length; from += 60) await book(from, from + 60)
        await sql`begin`.execute(connection)
        const before = await rowsRead(connection)
        await book(100, 200)
        const after = await rowsRead(connection)
        await sql`commit`.execute(connection)
        expect(after.size).toBe(4)
        for (const [table, read] of after) {
          // Whoever reads a whole table reads hundreds of rows for each purchase.
          const perPurchase = (read - (before.get(table) ?? 0)) / 100
          expect(perPurchase, `rows of ${table} for each purchase`).toBeLessThan(8)
        }
      })
    },
    patiently.timeout,
  )
})

/** The same connection for each statement, without the names that keep plans of their own. */
function runOn(connection: Database) {
  return async <Row>(_name: string, text: string, values: readonly unknown[]) =>
    (await connection.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[]
}

/** How many rows this connection has read and not reported yet, by table. */
async function rowsRead(connection: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ table: string; read: bigint }>`
    select relname as table, seq_tup_read + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_xact_user_tables
    where relname in ('purchases', 'first_purchases', 'users', 'outbox_mails')
  `.execute(connection)
  return new Map(rows.map(({ table, read }) => [table, Number(read)]))
}

describe('a user', () => {
  it('is never deleted and never becomes another one, so that what names it holds', async () => {
    const { database } = app.open
    const [user] = await manyUsers(database, 1)
    if (user === undefined) throw new Error('A user was to be made.')
    const alone = sql`insert into users (id, email, password_hash, first_name, last_name, nationality, created_at)
      values (${randomUUID()}, ${`${randomUUID()}@example.com`}, '', 'A', 'B', 'GB', now())`
    await alone.execute(database)
    await expect(database.deleteFrom('users').execute()).rejects.toThrow(/stays for ever/)
    const renamed = database.updateTable('users').set({ id: randomUUID() })
    await expect(renamed.where('id', '=', user.id).execute()).rejects.toThrow(/stays for ever/)
  })

  it('is there for each mail', async () => {
    const mail = mailRow({ userId: randomUUID(), kind: 'new_login', at: new Date() })
    const written = app.open.database
      .insertInto('outbox_mails')
      .values({ ...mail, params: '{}' })
      .execute()
    await expect(written).rejects.toMatchObject({ code: '23503' })
  })
})
