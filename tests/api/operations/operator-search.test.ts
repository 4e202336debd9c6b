import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { maskEmail } from '#domain/accounts/account.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { readMailState } from '#server/database/books/mail-state.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { rateRules } from '#domain/accounts/rate-rules.ts'
import { aPurchase, buyAndPay, mine, part, pay } from '#tests/kit/builders/a-purchase.ts'
import { anApprovedClaim, loggedIn } from '#tests/kit/builders/a-claim.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  operator,
  payRefund,
} from '#tests/kit/builders/an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const { searchPurchases, getPurchaseRecord, holdPurchase } = operatorContract

let app: TestApp
let buyer: RegisteredUser
let bought: { id: string }
beforeAll(async () => {
  app = await startApp()
  buyer = await aUser(app)
  bought = await buyAndPay(app, buyer)
})
afterAll(() => app.close())

async function search(query: Record<string, string>, as: CallOptions = operator) {
  const { body } = await app.client.call(searchPurchases, { query }, as)
  return body.data.map(({ id }) => id)
}

const recordOf = async (id: string, as: CallOptions = operator) =>
  (await app.client.call(getPurchaseRecord, { params: { id } }, as)).body

describe('one field finds a purchase', () => {
  test('by its number, as its buyer sees it or types it', async () => {
    const number = purchaseNumber(bought.id)
    for (const typed of [number, number.toLowerCase(), number.replace('-', ''), ` ${number} `]) {
      expect(await search({ q: typed })).toEqual([bought.id])
    }
    expect(await search({ q: 'FFFF-0000' })).toEqual([])
  })

  test('by the hash of the transaction that paid it, in any spelling', async () => {
    const [receipt] = (await recordOf(bought.id)).receipts
    expect(await search({ q: receipt?.hash ?? '' })).toEqual([bought.id])
    expect(await search({ q: `  ${receipt?.hash}` })).toEqual([bought.id])
  })

  test('by the hash of the transaction that paid it back', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, await aUser(app))
    await payRefund(app, receiptId, 'went-back-by-this')
    expect(await search({ q: 'went-back-by-this' })).toEqual([purchase.id])
    const { data } = await listRefunds(app, { state: 'paid' })
    expect(data.map(({ purchase_id }) => purchase_id)).toEqual([purchase.id])
    expect((await listRefunds(app, { state: 'uncovered' })).data).toEqual([])
    expect((await listRefunds(app)).counts).toEqual({ open: 0, promised: 0, paid: 1, uncovered: 0 })
  })

  test('and nothing for anything else', async () => {
    for (const q of ['nobody', '0x00', '%', "' or true --", `0x${'0'.repeat(64)}`]) {
      expect(await search({ q })).toEqual([])
    }
    expect(await search({ q: '   ' })).toContain(bought.id)
  })
})

describe('filters and sorting', () => {
  test('keep to a buyer, a coin, a stage and a time', async () => {
    const { stage_id, payment_token, created_date } = await recordOf(bought.id)
    const all = { user_id: buyer.user.id, stage_id, payment_token_id: payment_token.id }
    const later = new Date(new Date(created_date).getTime() + 1).toISOString()
    expect(await search({ ...all, from: created_date, to: later })).toEqual([bought.id])
    expect(await search({ ...all, from: later })).toEqual([])
    expect(await search({ ...all, to: created_date })).toEqual([])
    const day = created_date.slice(0, 10)
    expect(await search({ ...all, from: day, to: day })).toEqual([bought.id])
    expect(await search({ ...all, payment_token_id: 'btc' })).toEqual([])
    expect(await search({ ...all, stage_id: 'none' })).toEqual([])
    expect(await search({ stage_id, payment_token_id: payment_token.id })).toContain(bought.id)
  })

  test('keep to where money is at stake', async () => {
    const seen = await aPurchase(app, await aUser(app))
    await pay(app, seen)
    const { purchase: owed } = await anOwedPurchase(app, await aUser(app))
    const found = await search({ at_stake: 'true' })
    expect(found).toContain(owed.id)
    expect(found).not.toContain(bought.id)
    expect(await search({ at_stake: 'true', q: owed.id })).toEqual([owed.id])
  })

  test('the oldest and the largest come first, page by page', async () => {
    const person = await aUser(app)
    const small = await aPurchase(app, person, { usd: 20 })
    const large = await aPurchase(app, person, { usd: 900 })
    const middle = await aPurchase(app, person, { usd: 300 })
    const theirs = { user_id: person.user.id }
    expect(await search({ ...theirs, sort: 'oldest' })).toEqual([small.id, large.id, middle.id])
    const sorted = [large.id, middle.id, small.id]
    expect(await search({ ...theirs, sort: 'largest' })).toEqual(sorted)
    for (const sort of ['oldest', 'largest'] as const) {
      const all = await search({ sort, limit: '100' })
      const query = { sort, limit: '2' }
      const first = (await app.client.call(searchPurchases, { query }, operator)).body
      const after = first.after ?? ''
      const rest = await search({ sort, limit: '100', after })
      expect([...first.data.map(({ id }) => id), ...rest]).toEqual(all)
    }
    expect((await search({ sort: 'largest' }))[0]).toBe(large.id)
  })
})

describe('who may not see people', () => {
  test('sees addresses of buyers masked, in every call', async () => {
    const { purchase: owed } = await anOwedPurchase(app, await aUser(app))
    const viewer = await anOperatorPerson(app, 'viewer')
    const list = await app.client.call(searchPurchases, { query: { limit: '100' } }, viewer.as)
    const record = await recordOf(bought.id, viewer.as)
    const refunds = await app.client.call(operatorContract.listRefunds, { query: {} }, viewer.as)
    expect(refunds.body.data.map(({ purchase_id }) => purchase_id)).toContain(owed.id)
    const shown = JSON.stringify([list.body, record, refunds.body])
    expect(shown).not.toContain(buyer.email)
    expect(record.user.email).toBe(maskEmail(buyer.email))
    expect(maskEmail('ada.lovelace@mail.example.com')).toBe('a…@m….com')
  })

  test('is refused a search for an address, which would be an answer too', async () => {
    const viewer = await anOperatorPerson(app, 'viewer')
    const reply = await app.client.call(searchPurchases, { query: { q: buyer.email } }, viewer.as)
    expect(reply.refusal).toMatchObject({ code: 403, reason: 'PermissionMissing' })
    expect(reply.refusal.message).toContain('people.read')
    expect(await search({ q: bought.id }, viewer.as)).toEqual([bought.id])
  })
})

test('support sees addresses, and the list shows nobody’s payment address', async () => {
  const support = await anOperatorPerson(app, 'support')
  const { body } = await app.client.call(searchPurchases, { query: {} }, support.as)
  const record = await recordOf(bought.id, support.as)
  expect(record.user.email).toBe(buyer.email)
  expect(record.address).not.toBe('')
  expect(JSON.stringify(body)).not.toContain(record.address)
  const input = { params: { id: bought.id }, headers: {}, body: { reason: 'They asked' } }
  const held = await app.client.call(holdPurchase, input, support.as)
  expect(held.body.actions.at(-1)).toMatchObject({ act: 'holdPurchase', operator: support.name })
})

test('one person opens so many records an hour, and no more', async () => {
  const support = await anOperatorPerson(app, 'support')
  const other = await anOperatorPerson(app, 'support')
  const open = (as: CallOptions) =>
    app.client.call(getPurchaseRecord, { params: { id: bought.id } }, as)
  expect((await open(support.as)).status).toBe(200)
  // As many calls would take a minute.
  for (let nth = 1; nth < rateRules.record_by_operator.triesMax; nth += 1) {
    await app.services.limits.take('record_by_operator', support.id)
  }
  expect((await open(support.as)).refusal.reason).toBe('TooManyRequests')
  expect((await open(other.as)).status).toBe(200)
})

test('a purchase record lists its mails', async () => {
  const { mails } = await recordOf(bought.id)
  expect(mails.slice(0, 3).map(({ kind }) => kind)).toEqual([
    'purchase_created',
    'purchase_processing',
    'purchase_completed',
  ])
  expect(mails[0]).toMatchObject({ dropped_date: null, is_given_up: false })
  const dropped = { dropped_at: app.clock.now(), is_given_up: true }
  await app.open.database
    .updateTable('outbox_mails')
    .set(dropped)
    .where('kind', '=', 'purchase_created')
    .where('user_id', '=', buyer.user.id)
    .execute()
  const [lost] = (await recordOf(bought.id)).mails
  expect(lost).toMatchObject({ dropped_date: expect.any(String), is_given_up: true })
})

test('money is at stake too where a part has come, and where it is promised to a claim', async () => {
  const short = await aPurchase(app, await aUser(app))
  await pay(app, short, part(short, 0.02))
  await mine(app, 2)
  expect(await search({ at_stake: 'true' })).toContain(short.id)
  const claimant = await aUser(app)
  const { purchase: owed } = await anOwedPurchase(app, claimant)
  const back = { ...claimant, ...(await loggedIn(app, claimant)) }
  // Mails of the tests before this one are sent first.
  while ((await readMailState(app.open.database)).unsent > 0) await sendMails(app.services)
  expect(await anApprovedClaim(app, back)).toMatchObject({ state: 'approved' })
  expect((await listRefunds(app)).data.map(({ purchase_id }) => purchase_id)).not.toContain(owed.id)
  expect(await search({ at_stake: 'true' })).toContain(owed.id)
})
