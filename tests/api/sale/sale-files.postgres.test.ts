import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { saleContract } from '#contract/sale.ts'
import { price } from '#domain/money.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import { endLeaseAt } from '#server/database/connection/leases.ts'
import type { PriceSource } from '#server/ports/price-source.ts'
import { PRICES_LEASE, refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const operator = { accessToken: OPERATOR_TOKEN, headers: { 'operator-name': 'Olga' } }
const FOLLOWED_WITHIN_MS = 1_000
const PRICE = /token_price: 0\.0001\n/
const NEW_PRICE = 0.00011

let one: TestApp
let other: TestApp
let buyers: SeededUser[]
beforeEach(async () => {
  one = await startApp()
  other = await startApp({ open: one.open })
  buyers = await manyUsers(one.open.database, 30)
})
afterEach(async () => {
  await other.close()
  await one.close()
})

const buyerAt = (nth: number): SeededUser => {
  const buyer = buyers[nth]
  if (buyer === undefined) throw new Error(`There is no buyer ${nth}.`)
  return buyer
}

async function apply(change: (text: string) => string): Promise<void> {
  const { client } = one
  const { text } = (await client.call(saleFilesContract.getSaleFile, {}, operator)).body
  const changed = change(text)
  expect(changed).not.toBe(text)
  const checked = await client.call(
    saleFilesContract.checkSaleFile,
    { body: { text: changed } },
    operator,
  )
  const { hash, applied_id, faults } = checked.body
  expect(faults).toEqual([])
  const body = { text: changed, hash, applied_id }
  const reply = await client.call(saleFilesContract.applySaleFile, { headers: {}, body }, operator)
  expect(reply.status).toBe(200)
}

const dearer = (text: string) => text.replace(PRICE, `token_price: ${NEW_PRICE}\n`)

const priceAt = async ({ client }: TestApp) =>
  (await client.call(saleContract.listStages, {})).body[0]?.token_price

async function bookedPrices(): Promise<bigint[]> {
  const rows = await one.open.database.selectFrom('purchases').select('token_price').execute()
  return rows.map(({ token_price: price }) => price)
}

test('another instance shows and quotes the new price within a second', async () => {
  expect(await priceAt(other)).toBe(0.0001)
  await apply(dearer)
  expect(await priceAt(one)).toBe(NEW_PRICE)
  await vi.waitFor(async () => expect(await priceAt(other)).toBe(NEW_PRICE), {
    timeout: FOLLOWED_WITHIN_MS,
  })
  expect((await tryToBuy(other, buyerAt(0))).status).toBe(201)
  expect(await bookedPrices()).toEqual([110_000_000n])
})

/** Does something at the other instance between a quote and its booking, once. */
function beforeBooking(work: () => Promise<void>): void {
  const { bookPurchase } = other.services
  other.services.bookPurchase = async (request) => {
    other.services.bookPurchase = bookPurchase
    await work()
    return await bookPurchase(request)
  }
}

test('a purchase that was quoted by the sale before is quoted again', async () => {
  beforeBooking(() => apply(dearer))
  const reply = await tryToBuy(other, buyerAt(0))
  expect(reply.status).toBe(201)
  expect(await bookedPrices()).toEqual([110_000_000n])
})

test('a purchase in a token that was taken out meanwhile is refused', async () => {
  beforeBooking(() => apply((text) => text.replace(/(- id: eth\n)/, '$1    enabled: false\n')))
  const reply = await tryToBuy(other, buyerAt(0))
  expect(reply.refusal.reason).toBe('UnknownPaymentToken' satisfies RefusalReason)
  expect(await bookedPrices()).toEqual([])
})

test('once a dearer sale is applied nobody buys at the old price, however many try', async () => {
  const buying = Promise.all(
    buyers.map((buyer, nth) => tryToBuy(nth % 2 === 0 ? one : other, buyer)),
  )
  // Where somebody has bought already, the price of the stage stays; its limits are what changes.
  await apply((text) => text.replace('min_amount_fiat: 10\n', 'min_amount_fiat: 900\n'))
  const before = (await bookedPrices()).length
  await buying
  expect((await bookedPrices()).length).toBe(before)
})

/** What an instance says of whether it can use the applied file. */
async function fileFaultAt({ client, app }: TestApp) {
  const { body } = await client.call(operatorContract.getSaleState, {}, operator)
  const { body: metrics } = await app.inject({ url: '/metrics' })
  return {
    fault: body.sale_file_fault,
    metric: /^sale_file_not_followed\S* (\d)$/m.exec(metrics)?.[1],
  }
}

test('an instance that cannot follow sells nothing until it can', async () => {
  const { saleFiles } = other.services
  const { read } = saleFiles
  saleFiles.read = () => ({
    ok: false,
    faults: [{ line: 1, column: 1, path: 'project', message: 'expected a picture' }],
  })
  await apply(dearer)
  const refused = await tryToBuy(other, buyerAt(0))
  expect(refused.refusal.reason).toBe('Busy')
  expect(await bookedPrices()).toEqual([])
  const complaints = other.complaints.filter(({ message }) =>
    message.includes('cannot use the sale file'),
  )
  expect(complaints, 'it is said once').toHaveLength(1)
  expect(await fileFaultAt(one)).toEqual({ fault: null, metric: '0' })
  expect(await fileFaultAt(other)).toEqual({
    fault: expect.stringContaining('sells nothing'),
    metric: '1',
  })

  saleFiles.read = read
  expect((await tryToBuy(other, buyerAt(0))).status).toBe(201)
  expect((await fileFaultAt(other)).fault).toBeNull()
  expect(await bookedPrices()).toEqual([110_000_000n])
})

/** Ether at twice its price. */
const etherDearer = (text: string) => text.replace('fixed_price: 2500\n', 'fixed_price: 5000\n')

const etherAt = async ({ client }: TestApp) =>
  (await client.call(saleContract.getPrices, {})).body['ETH']?.USD

/** The other instance begins to fetch prices; they arrive once the returned function is called. */
async function beginToFetch(): Promise<() => Promise<void>> {
  const { services } = other
  await endLeaseAt(one.open.database, PRICES_LEASE, new Date(0))
  const isAsked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const priceSource: PriceSource = {
    async fetchPrices(tokens) {
      isAsked.resolve()
      await mayAnswer.promise
      return await services.priceSource.fetchPrices(tokens)
    },
  }
  const refreshing = refreshPrices({ ...services, priceSource })
  await isAsked.promise
  return async () => {
    mayAnswer.resolve()
    await refreshing
  }
}

test('prices that were asked for by the sale before are dropped', async () => {
  const answer = await beginToFetch()
  await apply(etherDearer)
  await answer()
  expect(await etherAt(one)).toBeGreaterThan(4_900)
  expect((await tryToBuy(other, buyerAt(0))).status).toBe(201)
  const { crypto_price: booked } = await one.open.database
    .selectFrom('purchases')
    .select('crypto_price')
    .executeTakeFirstOrThrow()
  expect(Number(booked / 10n ** 12n)).toBeGreaterThan(4_900)
})

test('an instance that cannot follow leaves the prices to those that can', async () => {
  other.services.saleFiles.read = () => ({
    ok: false,
    faults: [{ line: 1, column: 1, path: 'project', message: 'expected a picture' }],
  })
  await apply(etherDearer)
  await endLeaseAt(one.open.database, PRICES_LEASE, new Date(0))
  await refreshPrices(await other.services.followSale())
  expect(await etherAt(one)).toBeGreaterThan(4_900)
  one.clock.pass(3 * 60_000)
  await refreshPrices(one.services)
  expect(await etherAt(one), 'its turn is not lost').toBeGreaterThan(4_900)
})

test('prices that come after those of a later refresh do not replace them', async () => {
  const answer = await beginToFetch()
  const later = new Map([['ETH', { price: price(3n * 10n ** 15n), sources: [] }]])
  one.clock.pass(10_000)
  await refreshPrices({ ...one.services, priceSource: { fetchPrices: async () => later } })
  await answer()
  expect(await etherAt(one)).toBe(3_000)
})

test('two files that are applied at one moment: one is, and the other is refused', async () => {
  const { client } = one
  const { text, id } = (await client.call(saleFilesContract.getSaleFile, {}, operator)).body
  const send = async (app: TestApp, comment: string) => {
    const changed = `${text}# ${comment}\n`
    const input = { body: { text: changed } }
    const { hash } = (await app.client.call(saleFilesContract.checkSaleFile, input, operator)).body
    return () =>
      app.client.call(
        saleFilesContract.applySaleFile,
        { headers: {}, body: { text: changed, hash, applied_id: id } },
        operator,
      )
  }
  const sends = [await send(one, 'one'), await send(other, 'other')]
  const replies = await Promise.all(sends.map((each) => each()))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
