import { expect, test } from 'vitest'
import type { OperatorAction, PurchaseRecord } from '#contract/operator/shapes.ts'
import { storyOf } from './story.ts'

const ID = '00000000-0000-4000-8000-000000000000'

function aRecord(change: Partial<PurchaseRecord>): PurchaseRecord {
  const lists = { receipts: [], refunds: [], marks: [], history: [], ledger: [], mails: [] }
  return { ...lists, actions: [], user: { id: ID }, ...change } as unknown as PurchaseRecord
}

/** The newest entry of a purchase with one act, and with mails. */
function entryOf(action: Partial<OperatorAction>, mails: PurchaseRecord['mails'] = []) {
  const full: OperatorAction = {
    id: '1',
    date: '2030-01-01T00:00:00Z',
    kind: 'person',
    operator_id: ID,
    operator: 'Bob',
    address: '::1',
    act: 'approveAct',
    purchase_id: ID,
    user_id: null,
    details: {},
    hash: '',
    ...action,
  }
  return storyOf(aRecord({ actions: [full], mails }))[0]
}

test('an act that was refused is not told as if it was done', () => {
  const done = { title: 'Approve act by Bob', tone: 'neutral', text: 'Seen' }
  expect(entryOf({ details: { reason: 'Seen' } })).toMatchObject(done)
  const refused = { title: 'Approve act by Bob', tone: 'error', text: 'Not allowed' }
  expect(entryOf({ details: { refused: 'ApprovalClosed' } })).toMatchObject(refused)
})

test('a mail that was out of date by its second attempt is not told as given up', () => {
  const dropped = {
    kind: 'purchase_created',
    date: '2030-01-01T00:00:00Z',
    sent_date: null,
    dropped_date: '2030-01-01T01:00:00Z',
    attempts: 2,
  }
  const obsolete = { tone: 'neutral', text: 'Not sent: it was out of date by then' }
  expect(entryOf({}, [{ ...dropped, is_given_up: false }])).toMatchObject(obsolete)
  const lost = { tone: 'error', text: 'Given up after 2 attempts' }
  expect(entryOf({}, [{ ...dropped, is_given_up: true }])).toMatchObject(lost)
})

test('a refund that was paid is told with what was sent, beside its transaction', () => {
  const refund = {
    receipt_id: ID,
    state: 'paid',
    payment_token: { id: 'eth', short_name: 'ETH', chain: 'ERC20' },
    amount: '0.3',
    fee: '0.001',
    reason: 'overpaid',
    since_date: '2029-01-01T00:00:00Z',
    paid_date: '2030-01-02T00:00:00Z',
    paid_hash: 'went-back',
    paid_explorer_url: null,
  } as PurchaseRecord['refunds'][number]
  const [whole] = storyOf(aRecord({ refunds: [{ ...refund, fee: '0' }] }))
  expect(whole).toMatchObject({ title: 'Paid back', amount: { exact: '0.3' } })
  expect(whole?.text).toBeUndefined()
  expect(storyOf(aRecord({ refunds: [refund] }))[0]).toMatchObject({
    text: 'After 0.001 ETH for the network fee',
    amount: { exact: '0.299', unit: 'ETH' },
    transaction: { hash: 'went-back' },
  })
})

test('what the server does by itself is not told of its token', () => {
  const noName = { operator_id: null, operator: null }
  const expired = entryOf({ ...noName, kind: 'server', act: 'expireApproval' })
  expect(expired?.title).toBe('Expire approval by the server')
  const byToken = entryOf({ ...noName, kind: 'token', act: 'holdPurchase' })
  expect(byToken?.title).toBe('Held by somebody with the server’s token')
})
