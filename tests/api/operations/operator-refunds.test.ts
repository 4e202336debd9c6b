import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  mine,
  part,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  operator,
  owedPurchases,
  payRefund,
  refundCounts,
} from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

describe('the list of refunds', () => {
  test('contains everything that it takes to pay one', async () => {
    const earlier = app.clock.now()
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const { data, after, owed } = await listRefunds(app)
    const since = data[0]?.since_date ?? ''
    const receipt = await app.open.database
      .selectFrom('receipts')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(data).toEqual([
      {
        receipt_id: receiptId,
        purchase_id: purchase.id,
        user: { id: buyer.user.id, email: buyer.email },
        state: 'open',
        payment_token: { id: 'eth', short_name: 'ETH', chain: 'ERC20' },
        asset: null,
        amount: part(purchase, 0.05),
        reason: 'underpaid',
        since_date: since,
        receipt_hash: receipt.transaction_hash,
        receipt_explorer_url: null,
        chain: receipt.chain,
        address: purchase.payment_address,
        paid_hash: null,
        paid_explorer_url: null,
        paid_date: null,
        fee: null,
        claim_id: null,
        is_held: false,
        asked_acts: [],
        ended_mark: null,
      },
    ])
    expect(new Date(since).getTime()).toBeGreaterThan(earlier.getTime() + 60_000)
    expect(new Date(since).getTime()).toBeLessThanOrEqual(app.clock.now().getTime())
    expect(after).toBeNull()
    expect(owed).toMatchObject([
      { payment_token: { id: 'eth' }, amount: part(purchase, 0.05), count: 1 },
    ])
    expect(await refundCounts(app)).toEqual({ open: 1, promised: 0, paid: 0, uncovered: 0 })
  })

  test('is empty while nothing is owed', async () => {
    await buyAndPay(app, buyer)
    expect(await listRefunds(app)).toEqual({
      data: [],
      after: null,
      owed: [],
      counts: { open: 0, promised: 0, paid: 0, uncovered: 0 },
      unmatched: 0,
    })
  })

  test('keeps since when an amount is owed, however often its purchase is settled', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const [first] = (await listRefunds(app)).data
    await app.passTime(5_000)
    await pay(app, purchase, part(purchase, 0.01))
    await mine(app, 2)
    const { data } = await listRefunds(app)
    expect(data).toHaveLength(2)
    expect(data[0]).toEqual(first)
    expect(data[1]?.reason).toBe('late')
  })

  test('has pages, the longest owed first, that go on after one was paid meanwhile', async () => {
    const owed = await owedPurchases(app, buyer, 3)
    await app.passTime(1_000)
    // Somebody else, as too little paid three times counts against whoever did it.
    owed.push(...(await owedPurchases(app, await aUser(app), 2)))
    const first = await listRefunds(app, { limit: '2' })
    const [paid] = (await listRefunds(app, { limit: '1', after: first.after ?? '' })).data
    await payRefund(app, paid?.receipt_id ?? '', 'one-that-paid')
    const second = await listRefunds(app, { limit: '2', after: first.after ?? '' })
    expect(second.after).toBeNull()
    const seen = [...first.data, ...second.data].map(({ receipt_id }) => receipt_id)
    const expected = owed.map(({ receiptId }) => receiptId)
    expect([...seen, paid?.receipt_id].toSorted()).toEqual(expected.toSorted())
    expect(second.data.map(({ receipt_id }) => receipt_id).toSorted()).toEqual(
      expected.slice(3).toSorted(),
    )
    expect(second.owed).toMatchObject([{ count: 4 }])
    const all = await listRefunds(app, { state: 'all', limit: '100' })
    expect(all.data.map(({ state }) => state).toSorted()).toEqual([
      'open',
      'open',
      'open',
      'open',
      'paid',
    ])
  })

  test.each(['x', '2026-01-01T00:00:00.000Z', '9999-99-99T00:00:00.000Z_x_0'])(
    'refuses %j as the beginning of a page',
    async (after) => {
      const reply = await app.client.call(
        operatorContract.listRefunds,
        { query: { after } },
        operator,
      )
      expect(reply.refusal.errors).toEqual([
        { path: 'after', message: 'Must be the value of after in the page before this one' },
      ])
    },
  )

  test('states an asset that the sale does not know in base units', async () => {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await sql`
      update sandbox_transfers set payment_token_id = null, amount = 123456789,
        transaction_hash = transaction_hash || '-strange',
        revision = revision + 1`.execute(app.open.database)
    await sql`update sandbox_chain set revision = revision + 1`.execute(app.open.database)
    await mine(app, 2)
    const { data, owed } = await listRefunds(app)
    expect(data).toMatchObject([
      { payment_token: null, amount: '123456789', reason: 'wrong_asset', state: 'open' },
    ])
    expect(owed).toEqual([
      { payment_token: null, asset: 'sandbox/unknown', amount: '123456789', count: 1 },
    ])
    const [refund] = data
    expect(await payRefund(app, refund?.receipt_id ?? '', 'sent-back')).toMatchObject({
      state: 'paid',
      amount: '123456789',
    })
    await sendMails(app.services)
    expect(app.mailbox.taken.at(-1)?.subject).toMatch(
      /^A payment of your HUH purchase has been paid/,
    )
  })
})
