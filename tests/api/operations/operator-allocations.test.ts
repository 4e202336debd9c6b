import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { Allocation } from '#contract/operator/shapes.ts'
import { parseDecimal } from '#domain/money.ts'
import {
  aPurchase,
  balanceOf,
  buyAndPay,
  expectInvariants,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { named } from '#tests/kit/builders/an-operator.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import * as z from 'zod/mini'

const HEADER = '"user_id","email","name","base_tokens","bonus_tokens","total_tokens"'

let app: TestApp
let ada: RegisteredUser
let eve: RegisteredUser
beforeAll(async () => {
  app = await startApp()
  ada = await aUser(app)
  eve = await aUser(app, {
    first_name: '=HYPERLINK("http://evil.example","x")',
    last_name: 'O"Hara, Eve',
    referrals: { referred_by: ada.user.id },
  })
  await buyAndPay(app, ada)
  await buyAndPay(app, eve, { usd: 300 })
  await aPurchase(app, await aUser(app))
})
afterAll(() => app.close())

const ask = (headers: Record<string, string> = {}) =>
  app.app.inject({
    url: `${API_BASE}/operator/allocations`,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...named, ...headers },
  })

async function askForJson() {
  const { body } = await ask({ accept: 'application/json' })
  return z.parse(z.array(Allocation), JSON.parse(body))
}

const units = (amount: string) => parseDecimal(amount, 18) ?? 0n

async function owedByLedger(): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select sum(case when destination like 'user:%' then amount else -amount end) as sum
    from ledger_transfers
    where asset = 'token' and (destination like 'user:%' or source like 'user:%')`.execute(
    app.open.database,
  )
  return rows[0]?.sum ?? 0n
}

test('everybody who has tokens has a line of CSV, which no spreadsheet runs', async () => {
  const reply = await ask()
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toMatch(/^text\/csv/)
  expect(reply.headers['cache-control']).toBe('no-store')
  const lines = reply.body.split('\r\n')
  expect(lines[0]).toBe(HEADER)
  expect(lines.at(-1)).toBe('')
  expect(lines).toHaveLength(4)
  expect(reply.body).toContain(
    `"${eve.user.id}","${eve.email}","'=HYPERLINK(""http://evil.example"",""x"") O""Hara, Eve",`,
  )
  expect(lines.slice(1, -1)).toEqual(lines.slice(1, -1).toSorted())
})

test('the figures are exact, and add up to the ledger and to what each buyer is shown', async () => {
  const rows = await askForJson()
  expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual(
    [ada.user.id, eve.user.id].toSorted(),
  )
  for (const row of rows) {
    expect(units(row.base_tokens) + units(row.bonus_tokens)).toBe(units(row.total_tokens))
    const person = row.user_id === ada.user.id ? ada : eve
    expect(Number(row.total_tokens)).toBeCloseTo(await balanceOf(app, person), 2)
    expect(units(row.bonus_tokens)).toBeGreaterThan(0n)
  }
  const sum = rows.reduce((total, row) => total + units(row.total_tokens), 0n)
  expect(sum).toBe(await owedByLedger())
  await expectInvariants(app)
})

test('JSON and CSV have the same content', async () => {
  const [first] = await askForJson()
  if (first === undefined) throw new Error('Nobody has tokens.')
  const { body } = await ask({ accept: 'text/csv, */*' })
  for (const figure of [first.base_tokens, first.bonus_tokens, first.total_tokens]) {
    expect(body).toContain(figure)
  }
})

test('a list that takes several batches is complete, and its connection is free again', async () => {
  const users = await manyUsers(app.open.database, 2_500)
  await sql`
    insert into ledger_transfers (user_id, source, destination, asset, amount, at)
    select id::uuid, 'sale:supply', 'user:' || id, 'token', 1000000000000000000 + place, now()
    from unnest(${users.map(({ id }) => id)}::text[]) with ordinality as each (id, place)`.execute(
    app.open.database,
  )
  for (let round = 0; round < 12; round += 1) {
    const rows = await askForJson()
    expect(rows).toHaveLength(2_502)
    expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(2_502)
    const sum = rows.reduce((total, row) => total + units(row.total_tokens), 0n)
    expect(sum).toBe(await owedByLedger())
  }
})

test('the operator who exported the list is recorded', async () => {
  await ask()
  const row = await app.open.database
    .selectFrom('operator_actions')
    .select(['act', 'operator'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ act: 'listAllocations', operator: 'Olga' })
  expect((await ask({ 'operator-name': '' })).statusCode).toBe(400)
})

test('a fault at the beginning is reported like all others', async () => {
  await sql`alter table purchases rename to lost_purchases`.execute(app.open.database)
  const reply = await ask()
  await sql`alter table lost_purchases rename to purchases`.execute(app.open.database)
  expect(reply.statusCode).toBe(500)
  expect(JSON.parse(reply.body)).toMatchObject({ reason: 'InternalError' })
  expect(app.complaints.splice(0)).toMatchObject([{ message: 'A call failed' }])
  expect((await ask()).statusCode).toBe(200)
})
