import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type Price, type TokenAmount, tokenAmount } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  mine,
  pay,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { WITHOUT_BOUNDS } from '#tests/kit/builders/domain-builders.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { patiently } from '#tests/kit/model/random-runs.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** The shipped sale's first stage: each settled payment moves its price. */
let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: withoutBounds })
})
afterEach(() => expectAllWell(app))
afterAll(() => app.close())

function withoutBounds(sale: Sale): Sale {
  return { ...sale, purchases: { ...sale.purchases, ...WITHOUT_BOUNDS } }
}

async function someBuyers(count: number): Promise<SeededUser[]> {
  return await manyUsers(app.open.database, count)
}

async function aBuyer(): Promise<SeededUser> {
  const [buyer] = await someBuyers(1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  return buyer
}

async function priceNow(): Promise<Price> {
  const { token_price: price } = await app.open.database
    .selectFrom('stage_counters')
    .select('token_price')
    .where('stage_id', '=', 'stage-1')
    .executeTakeFirstOrThrow()
  return price
}

async function storedTerms(id: string) {
  return await app.open.database
    .selectFrom('purchases')
    .select(['token_price', 'crypto_due', 'reserved'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Does something between a quote and its booking, once. Returns how many bookings were asked for.
 */
function beforeBooking(work: () => Promise<unknown>): () => number {
  const { bookPurchase } = app.services
  let asked = 0
  let isDone = false
  app.services.bookPurchase = async (request) => {
    asked += 1
    if (!isDone) {
      isDone = true
      await work()
    }
    return await bookPurchase(request)
  }
  return () => {
    app.services.bookPurchase = bookPurchase
    return asked
  }
}

describe('a price that moves between a quote and its booking', () => {
  it('is the new price of the purchase, which is booked without being asked for twice', async () => {
    const [early, other] = [await aBuyer(), await aBuyer()]
    const waiting = await aPurchase(app, early)
    await pay(app, waiting)
    const before = await priceNow()
    const stop = beforeBooking(() => mine(app, 2))
    const reply = await tryToBuy(app, other)
    expect(stop()).toBe(1)
    expect(reply.status).toBe(201)
    const after = await priceNow()
    expect(after).toBeGreaterThan(before)
    const { id, payment_amount: due, tokens } = reply.body.data
    const stored = await storedTerms(id)
    expect(stored.token_price).toBe(after)
    // The amount in the coin follows from the dollars alone, so that an address made for it stays.
    expect(due).toBe(waiting.payment_amount)
    // The reply is what was booked, and no more tokens than the earlier buyer had.
    const shown = (await tryToBuy(app, other)).body.data
    expect(tokens.base).toBe(shown.tokens.base)
    expect(tokens.base).toBeLessThan(waiting.tokens.base)
  })

  it('is the price of the moment for each buyer, where it moves again and again', async () => {
    const buyers = await someBuyers(3)
    for (const buyer of buyers) {
      const waiting = await aPurchase(app, await aBuyer())
      await pay(app, waiting)
      const stop = beforeBooking(() => mine(app, 2))
      const reply = await tryToBuy(app, buyer)
      expect(stop()).toBe(1)
      expect((await storedTerms(reply.body.data.id)).token_price).toBe(await priceNow())
    }
  })

  it('is answered with the same purchase where the key was used before', async () => {
    const buyer = await aBuyer()
    const first = (await tryToBuy(app, buyer, { key: 'once' })).body.data
    const waiting = await aPurchase(app, await aBuyer())
    await pay(app, waiting)
    const stop = beforeBooking(() => mine(app, 2))
    const again = await tryToBuy(app, buyer, { key: 'once' })
    stop()
    expect(again.body.data.id).toBe(first.id)
  })

  it('keeps nobody from buying who comes while payments are settled', patiently, async () => {
    const payers = await Promise.all(
      (await someBuyers(8)).map(async (buyer) => await aPurchase(app, buyer)),
    )
    const buyers = await someBuyers(30)
    const paying = (async () => {
      for (const purchase of payers) {
        await pay(app, purchase)
        await mine(app, 2)
      }
    })()
    const replies = await Promise.all(buyers.map((buyer) => tryToBuy(app, buyer)))
    await paying
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  })

  it('refuses when the tokens are gone by then', async () => {
    const [last, late] = [await aBuyer(), await aBuyer()]
    const { database } = app.open
    const counter = database.updateTable('stage_counters').where('stage_id', '=', 'stage-1')
    let reserved = tokenAmount(0n)
    const stop = beforeBooking(async () => {
      await buyAndPay(app, last)
      const before = await database
        .selectFrom('stage_counters')
        .select('reserved')
        .where('stage_id', '=', 'stage-1')
        .executeTakeFirstOrThrow()
      reserved = before.reserved
      // As if all others had been reserved meanwhile.
      await counter.set({ reserved: sql<TokenAmount>`supply - sold` }).execute()
    })
    const reply = await tryToBuy(app, late)
    stop()
    await counter.set({ reserved }).execute()
    expect(reply.refusal.reason).toBe('NoTokensLeft')
  })
})
