import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { cryptoAmount, parseDecimal } from '#domain/money.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { listSettlements } from '#server/database/purchases/purchases.ts'
import type { ChainReading } from '#server/ports/rail.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  balanceOf,
  buyAndPay,
  expectAllWell,
  lookAt,
  mailsOf,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
  refundsOf,
  reorganise,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterEach(async () => {
  await expectAllWell(app)
})
afterAll(() => app.close())

/** Decimal strings of ether, added up exactly. */
function sumOf(...amounts: (string | null)[]): bigint {
  return amounts.reduce((sum, amount) => sum + (parseDecimal(amount ?? '', 18) ?? 0n), 0n)
}

describe('a purchase that is paid in time', () => {
  it('sends the buyer one mail for each step', async () => {
    const buyer = await aUser(app)
    const purchase = await buyAndPay(app, buyer)
    expect(await mailsOf(app, purchase)).toEqual([
      'purchase_created',
      'purchase_processing',
      'purchase_completed',
    ])
    expect(await refundsOf(app, purchase)).toEqual([])
  })

  it('adds several payments up, and shows what is still due meanwhile', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const quarter = part(purchase, 0.25)
    await pay(app, purchase, quarter)
    const underpaid = await lookAt(app, buyer, purchase)
    expect(underpaid).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    expect(sumOf(quarter, underpaid.payment_amount)).toBe(sumOf(purchase.payment_amount))
    expect(underpaid.payment_uri).toContain('ethereum:')

    await pay(app, underpaid)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await mine(app, 2)
    const completed = await lookAt(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.receipts).toHaveLength(2)
    expect(completed.tokens).toEqual(purchase.tokens)
  })
})

describe('a payment that comes late while its coin has no price', () => {
  const aLateOne = async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await passExpiry(app)
    await app.passTime(3 * 60_000)
    await pay(app, purchase, part(purchase, 1))
    return { buyer, purchase }
  }

  it('buys at the next price', async () => {
    const { buyer, purchase } = await aLateOne()
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await refreshPrices(app.services)
    await mine(app, 2)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'completed',
      status_reason: 'late',
    })
    expect(await refundsOf(app, purchase)).toEqual([])
  })

  it('is owed back at the sale’s expense if it is confirmed before there is one', async () => {
    const { buyer, purchase } = await aLateOne()
    await mine(app, 2)
    await refreshPrices(app.services)
    await watchChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'expired' })
    expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'failed' }])
  })
})

describe('a purchase whose time is over', () => {
  it('expires and gives its tokens back', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await passExpiry(app)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'expired',
      payment_amount: '0',
      payment_uri: null,
    })
    expect(await mailsOf(app, purchase)).toEqual(['purchase_created', 'purchase_expired'])
  })

  it('does not expire while its chain is silent', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const silent = new Map(
      [...app.services.rails].map(([name, rail]) => [
        name,
        { ...rail, read: () => Promise.reject(new Unavailable('The node does not answer')) },
      ]),
    )
    await app.passTime(app.services.sale.purchases.expireAfterMs * 2)
    await watchChains({ ...app.services, rails: silent })
    expect(app.complaints.splice(0)).toHaveLength(1)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'pending' })
    await passExpiry(app)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'expired' })
  })
})

describe('a rail', () => {
  it('may report one transfer twice, and a transfer of nothing', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const sighted = {
      transactionHash: randomUUID(),
      index: 0,
      address: purchase.payment_address ?? '',
      paymentTokenId: 'eth',
      amount: cryptoAmount(parseDecimal(purchase.payment_amount ?? '', 18) ?? 0n),
      sentAt: app.clock.now(),
      isGone: false,
    }
    const unmatched = {
      transactionHash: randomUUID(),
      paymentTokenId: null,
      amount: cryptoAmount(0n),
    }
    const rails = new Map(
      [...app.services.rails].map(([name, rail]) => [
        name,
        {
          ...rail,
          read: async (chain: string, cursor: string | null): Promise<ChainReading> => {
            const reading = await rail.read(chain, cursor)
            const blockHeight = reading.height - 1n
            const mined = { ...sighted, blockHeight }
            const transfers = [{ ...sighted, blockHeight: null }, mined, { ...mined, ...unmatched }]
            return { ...reading, transfers }
          },
        },
      ]),
    )
    await mine(app, 2)
    await watchChains({ ...app.services, rails })
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(await refundsOf(app, purchase)).toEqual([])
  })
})

describe('a purchase that cannot be settled', () => {
  it('has those that were taken with it settled one by one, and no others', async () => {
    const { open, services, complaints } = app
    const buyers = await manyUsers(open.database, 21)
    for (const buyer of buyers) {
      for (let made = 0; made < 10; made += 1) await aPurchase(app, buyer)
    }
    const rows = await open.database
      .selectFrom('purchases')
      .select('id as purchase_id')
      .where(
        'user_id',
        'in',
        buyers.map(({ id }) => id),
      )
      .execute()
    expect(rows).toHaveLength(210)
    const missing = { purchase_id: '00000000-0000-0000-0000-000000000000' }
    await open.database
      .insertInto('settlements_due')
      .values([missing, ...rows])
      .execute()
    let settlements = 0
    const invalidate = () => {
      settlements += 1
      services.market.invalidate()
    }
    await settleDue({ ...services, market: { ...services.market, invalidate } })
    expect(await listSettlements(open.database, 10)).toEqual([missing.purchase_id])
    expect(settlements, '99 alone, 100 together and the last 11').toBe(101)
    expect(complaints.splice(0)).toMatchObject([
      { message: expect.stringContaining('could not be settled together') as string },
      { message: 'A purchase could not be settled' },
    ])
    await open.database.deleteFrom('settlements_due').execute()
  })
})

describe('the bonus for a first purchase', () => {
  const hasIt = ({ tokens }: Transaction) => tokens.bonuses.first_purchase_bonus !== undefined

  it('goes to the first, to no other while that is open, and on when that has lapsed', async () => {
    const buyer = await aUser(app)
    const first = await aPurchase(app, buyer)
    expect(hasIt(first)).toBe(true)
    expect(hasIt(await aPurchase(app, buyer))).toBe(false)
    await passExpiry(app)
    const next = await aPurchase(app, buyer)
    expect(hasIt(next)).toBe(true)

    // The one that lapsed is paid late: the bonus is not its any more.
    await pay(app, first, part(first, 1))
    await pay(app, next)
    await mine(app, 2)
    expect(hasIt(await lookAt(app, buyer, first))).toBe(false)
    expect(hasIt(await lookAt(app, buyer, next))).toBe(true)
    expect(hasIt(await aPurchase(app, buyer))).toBe(false)
  })
})

describe('a reorganisation of the chain', () => {
  it('undoes a completed purchase by new ledger entries, and it can be paid again', async () => {
    const buyer = await aUser(app)
    const purchase = await buyAndPay(app, buyer)
    await reorganise(app, 5)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'pending',
      status_reason: 'reorged',
      completed_date: null,
    })
    expect(await balanceOf(app, buyer)).toBe(0)
    expect(await mailsOf(app, purchase)).toContain('purchase_reversed')

    await pay(app, await lookAt(app, buyer, purchase))
    await mine(app, 2)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
  })
})
