import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import { ownExportContract } from '#contract/export.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { exportsContract } from '#contract/operator/exports.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { maskEmail } from '#domain/accounts/account.ts'
import {
  cryptoAmount,
  formatDecimal,
  parseDecimal,
  price,
  PRICE_DECIMALS,
  USD_DECIMALS,
} from '#domain/money.ts'
import { recordUnmatched } from '#server/database/purchases/unmatched-transfers.ts'
import {
  aPurchase,
  buyAndPay,
  mine,
  passExpiry,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { aKeyOf, anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { anOwedPurchase, operator, payRefund } from '#tests/kit/builders/an-operator.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const nouns = ['purchases', 'refunds', 'receipts', 'ledger'] as const
const dangers = ['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1']

let app: TestApp
let eve: RegisteredUser
let bought: Transaction
let open: Transaction
beforeAll(async () => {
  app = await startApp({
    changeSale: (sale) => ({ ...quickSale(sale), withdrawal: { days: 14 } }),
  })
  eve = await aUser(app)
  const { receiptId } = await anOwedPurchase(app, eve)
  await payRefund(app, receiptId, 'sandbox-paid-back')
  bought = await buyAndPay(app, eve, { usd: 250 })
  open = await aPurchase(app, eve, { usd: 100 })
})
afterAll(() => app.close())

const byToken = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'operator-name': 'Olga' }

const ask = (path: string, headers: Record<string, string> = byToken) =>
  app.app.inject({ url: `${API_BASE}/operator/${path}`, headers })

type Row = Record<string, unknown>
const rowsOf = async (path: string) => JSON.parse((await ask(path)).body) as Row[]

/** A decimal as a whole number, so that sums of them are exact. */
function units(text: string): bigint {
  const read = parseDecimal(text, 18)
  if (read === null) throw new Error(`${text} is no decimal.`)
  return read
}

/** What each account holds after all of these transfers. */
function balancesOf(transfers: readonly z.infer<typeof exportsContract.exportLedger.rows>[]) {
  const held = new Map<string, bigint>()
  const add = (account: string, amount: bigint) =>
    held.set(account, (held.get(account) ?? 0n) + amount)
  for (const { source, destination, amount } of transfers) {
    add(source, -units(amount))
    add(destination, units(amount))
  }
  return held
}

describe.each(nouns)('%s', (noun) => {
  test('come as CSV and as JSON, as files that have the day in their names', async () => {
    const day = app.clock.now().toISOString().slice(0, 10)
    const csv = await ask(`exports/${noun}`)
    expect(csv.statusCode).toBe(200)
    expect(csv.headers['content-type']).toMatch(/^text\/csv/)
    expect(csv.headers['cache-control']).toBe('no-store')
    expect(csv.headers['content-disposition']).toBe(`attachment; filename="${noun}-${day}.csv"`)
    const json = await ask(`exports/${noun}?form=json`)
    expect(json.headers['content-disposition']).toBe(`attachment; filename="${noun}-${day}.json"`)
    const rows = JSON.parse(json.body) as Row[]
    expect(rows.length).toBeGreaterThan(0)
    const lines = csv.body.split('\r\n')
    expect(lines).toHaveLength(rows.length + 2)
    expect(lines[0]).toBe(
      Object.keys(rows[0] ?? {})
        .map((name) => `"${name}"`)
        .join(),
    )
  })

  test('are recorded with who asked, and refused to who may not', async () => {
    const [finance, viewer] = [
      await anOperatorPerson(app, 'finance'),
      await anOperatorPerson(app, 'viewer'),
    ]
    expect((await ask(`exports/${noun}`, { cookie: finance.cookie })).statusCode).toBe(200)
    const refused = await ask(`exports/${noun}`, { cookie: viewer.cookie })
    expect(refused.statusCode).toBe(403)
    expect(refused.body).toContain('export purchases and refunds')
    const acts = await app.open.database
      .selectFrom('operator_actions')
      .select(['act', 'operator_id'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    const act = `export${noun[0]?.toUpperCase()}${noun.slice(1)}`
    expect(acts).toEqual([{ act, operator_id: finance.id }])
  })
})

test('whoever may not see people gets masked addresses and no names', async () => {
  const key = await aKeyOf(app, await anOperatorPerson(app, 'finance'), [
    'purchases.export',
    'allocations.export',
  ])
  const headers = { authorization: `Bearer ${key.accessToken}` }
  for (const path of ['exports/purchases', 'exports/refunds', 'exports/releases', 'allocations']) {
    const { statusCode, body } = await ask(path, headers)
    expect(statusCode).toBe(200)
    expect(body).toContain(eve.user.id)
    expect(body).toContain(maskEmail(eve.email))
    expect(body).not.toContain(eve.email)
    expect(body).not.toContain(eve.user.last_name)
    expect((await ask(path)).body).toContain(eve.email)
  }
})

test('purchases have their figures to the last digit', async () => {
  const rows = z.parse(
    z.array(exportsContract.exportPurchases.rows),
    await rowsOf('exports/purchases?form=json'),
  )
  expect(rows).toHaveLength(3)
  const byId = new Map(rows.map((row) => [row.id, row]))
  expect(byId.get(bought.id)).toMatchObject({
    email: eve.email,
    status: 'completed',
    usd: '250',
    credited_usd: '250',
  })
  expect(byId.get(bought.id)?.credited_amount).toBe(byId.get(bought.id)?.amount)
  expect(Number(byId.get(bought.id)?.credited_amount)).toBeGreaterThan(0)
  expect(byId.get(open.id)).toMatchObject({ status: 'pending', credited_usd: '0' })
})

test('a span of days has both of its ends', async () => {
  const day = app.clock.now().toISOString().slice(0, 10)
  const before = new Date(app.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  const count = async (query: string) =>
    (await rowsOf(`exports/purchases?form=json&${query}`)).length
  expect(await count(`from=${day}&to=${day}`)).toBe(3)
  expect(await count(`from=${before}`)).toBe(3)
  expect(await count(`to=${before}`)).toBe(0)
  expect((await ask('exports/purchases?from=2026-02-30')).statusCode).toBe(400)
  expect((await ask('exports/purchases?form=xlsx')).statusCode).toBe(400)
})

test('the ledger comes in its order, and adds up to what was bought and paid back', async () => {
  const rows = await rowsOf('exports/ledger?form=json')
  const ids = rows.map(({ id }) => Number(id))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  const stored = await app.open.database.selectFrom('ledger_transfers').select('id').execute()
  expect(rows).toHaveLength(stored.length)

  const held = balancesOf(z.parse(z.array(exportsContract.exportLedger.rows), rows))
  const purchases = z.parse(
    z.array(exportsContract.exportPurchases.rows),
    await rowsOf('exports/purchases?form=json'),
  )
  const refunds = z.parse(
    z.array(exportsContract.exportRefunds.rows),
    await rowsOf('exports/refunds?form=json'),
  )
  const sum = (amounts: readonly (string | null)[]) =>
    amounts.reduce((total, amount) => total + units(amount ?? '0'), 0n)
  const paidBack = sum(refunds.map(({ paid_amount: amount }) => amount))
  const received = sum(purchases.map(({ credited_amount: amount }) => amount))
  const tokens = purchases.flatMap((row) => [row.credited_base_tokens, row.credited_bonus_tokens])
  expect(paidBack).toBeGreaterThan(0n)
  expect(held.get('refunds:eth'), 'nothing is owed any more').toBe(0n)
  expect(held.get('paid_out:eth')).toBe(paidBack)
  expect(held.get('received:eth')).toBe(received)
  expect(held.get('chain:eth')).toBe(-received - paidBack)
  expect(held.get(`user:${eve.user.id}`)).toBe(sum(tokens))
})

/** Less than ether cost when anything was bought. */
const fallen = { price: price(parseDecimal('1500', PRICE_DECIMALS) ?? 0n), sources: [] }

test('what a late payment was credited can be computed from the files alone', async () => {
  const late = await aPurchase(app, eve, { usd: 100 })
  const { priceSource } = app.services
  app.services.priceSource = { fetchPrices: async () => new Map([['ETH', fallen]]) }
  await passExpiry(app)
  app.services.priceSource = priceSource
  await pay(app, late)
  await mine(app, 2)
  const receipts = z.parse(
    z.array(exportsContract.exportReceipts.rows),
    await rowsOf('exports/receipts?form=json'),
  )
  const receipt = receipts.find(({ purchase_id: id }) => id === late.id)
  const purchases = z.parse(
    z.array(exportsContract.exportPurchases.rows),
    await rowsOf('exports/purchases?form=json'),
  )
  const purchase = purchases.find(({ id }) => id === late.id)
  const [locked, market] = [purchase?.payment_token_price, receipt?.market_payment_token_price].map(
    (price) => units(price ?? ''),
  ) as [bigint, bigint]
  expect(receipt?.market_token_price, 'the stage has one price').toBe(purchase?.token_price)
  expect(market).toBeLessThan(locked)
  // A price and an amount have 18 decimals here, and dollars have 6.
  const dollars = (units(receipt?.amount ?? '') * market) / 10n ** (18n + 12n)
  expect(purchase).toMatchObject({
    status: 'completed',
    status_reason: 'late',
    credited_usd: formatDecimal(dollars, USD_DECIMALS),
  })
})

test.each(dangers)('no cell is run as a formula by a spreadsheet: %j', async (danger) => {
  await app.open.database
    .updateTable('users')
    .set({ email: `${danger}@example.com` })
    .where('id', '=', eve.user.id)
    .execute()
  const purchases = (await ask('exports/purchases')).body
  expect(purchases).toContain(`"'${danger}@example.com"`)
  expect(purchases).not.toContain(`"${danger}`)
})

test('a list of several batches is complete', async () => {
  const { database } = app.open
  await database
    .insertInto('ledger_transfers')
    .values(
      Array.from({ length: 2_500 }, (_, nth) => ({
        cause_id: null,
        user_id: null,
        source: 'a',
        destination: 'b',
        asset: 'token',
        amount: BigInt(nth + 1),
        at: app.clock.now(),
      })),
    )
    .execute()
  const rows = await rowsOf('exports/ledger?form=json')
  expect(rows.length).toBeGreaterThan(2_500)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
})

test('refunds and receipts name what an amount is of, and a gateway’s coin is in whole units', async () => {
  const { database } = app.open
  const came = (nth: number, chain: string, asset: string, amount: bigint) => ({
    id: randomUUID(),
    purchase_id: open.id,
    chain,
    transaction_hash: `strange-${nth}`,
    output_index: 0,
    payment_token_id: null,
    asset,
    amount: cryptoAmount(amount),
    block_height: null,
    confirmations: 9,
    required_confirmations: 1,
    is_gone: false,
    was_confirmed: true,
    seen_at: app.clock.now(),
    market_stage_id: null,
    market_token_price: null,
    market_crypto_price: null,
  })
  const strange = [
    came(1, 'nowpayments', 'xmr', 15n * 10n ** 17n),
    came(2, 'eip155:1', '0x00', 1_500n),
  ]
  await database.insertInto('receipts').values(strange).execute()
  const due = strange.map(({ id, amount }) => ({
    receipt_id: id,
    purchase_id: open.id,
    amount,
    why: 'wrong_asset' as const,
    since: app.clock.now(),
  }))
  await database.insertInto('refunds_due').values(due).execute()
  for (const noun of ['refunds', 'receipts']) {
    const rows = await rowsOf(`exports/${noun}?form=json`)
    const of = (asset: string) => rows.filter((row) => row['asset'] === asset)
    expect(of('nowpayments/xmr')).toMatchObject([{ amount: '1.5' }])
    expect(of('eip155:1/0x00')).toMatchObject([{ amount: '1500' }])
    expect(of('eth')).not.toHaveLength(0)
  }
  const own = { params: { id: eve.user.id } }
  const { refunds } = (await app.client.call(ownExportContract.exportUser, own, eve.as)).body
  expect(refunds).toContainEqual(
    expect.objectContaining({ asset: 'nowpayments/xmr', amount: '1.5', payment_token_id: null }),
  )
  const { body } = await app.client.call(operatorContract.listRefunds, { query: {} }, operator)
  const xmr = { id: 'xmr', short_name: 'XMR', chain: 'nowpayments' }
  expect(body.data).toContainEqual(
    expect.objectContaining({ payment_token: xmr, amount: '1.5', asset: 'xmr' }),
  )
  expect(body.owed).toContainEqual(
    expect.objectContaining({ payment_token: xmr, asset: 'nowpayments/xmr', amount: '1.5' }),
  )
})

test('money of no purchase is exported, also once it was put away, with the reason', async () => {
  const came = (nth: number, chain: string, asset: string | null) => ({
    chain,
    transactionHash: `lost-${nth}`,
    index: 0,
    address: `an-address-${nth}`,
    paymentTokenId: asset === null ? 'eth' : null,
    asset,
    amount: cryptoAmount(25n * 10n ** 17n),
    blockHeight: null,
    isGone: false,
    seenAt: app.clock.now(),
  })
  const transfers = [came(1, 'sandbox', null), came(2, 'nowpayments', 'xmr')]
  await app.open.database.transaction().execute((each) => recordUnmatched(each, transfers))
  const body = { kind: 'unmatched' as const, id: 'sandbox:lost-1:0', reason: 'It was Ada’s' }
  await app.client.call(consoleContract.closeInboxItem, { body }, operator)
  const rows = z.parse(
    z.array(exportsContract.exportUnmatched.rows),
    await rowsOf('exports/unmatched?form=json'),
  )
  expect(rows).toMatchObject([
    { transaction_hash: 'lost-2', asset: 'nowpayments/xmr', amount: '2.5', closed_reason: null },
    {
      transaction_hash: 'lost-1',
      address: 'an-address-1',
      asset: 'eth',
      amount: '2.5',
      closed_date: expect.any(String),
      closed_reason: 'It was Ada’s',
    },
  ])
})

test('a purchase that was withdrawn from says when that was, and when it was made', async () => {
  const { id } = await buyAndPay(app, eve, { usd: 50 })
  const row = async () =>
    (await rowsOf('exports/purchases?form=json')).find((each) => each['id'] === id)
  const before = await row()
  expect(before).toMatchObject({ status: 'completed' })
  expect(before?.['status_date']).toBe(before?.['completed_date'])
  await app.passTime(60_000)
  const withdrawnAt = app.clock.now().toISOString()
  const input = { params: { id }, body: { password: eve.password } }
  await app.client.call(transactionsContract.withdrawTransaction, input, eve.as)
  const after = await row()
  expect(after).toMatchObject({
    status: 'failed',
    status_reason: 'withdrawn',
    created_date: before?.['created_date'],
    completed_date: null,
  })
  expect(String(after?.['status_date']) >= withdrawnAt).toBe(true)
})

test('allocations take the form in their address too', async () => {
  const reply = await ask('allocations?form=json')
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(JSON.parse(reply.body)).toMatchObject([{ user_id: eve.user.id }])
})
