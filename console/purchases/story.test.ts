import { expect, test } from 'vitest'
import type { OperatorAction, PurchaseRecord } from '#contract/operator/shapes.ts'
import { storyOf } from './story.ts'

const ID = '00000000-0000-4000-8000-000000000000'

function entryOf(action: Partial<OperatorAction>) {
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
  const lists = { receipts: [], refunds: [], marks: [], history: [], ledger: [], mails: [] }
  return storyOf({ ...lists, user: { id: ID }, actions: [full] } as unknown as PurchaseRecord)[0]
}

test('an act that was refused is not told as if it was done', () => {
  const done = { title: 'Approve act by Bob', tone: 'neutral', text: 'Seen' }
  expect(entryOf({ details: { reason: 'Seen' } })).toMatchObject(done)
  const refused = { title: 'Approve act by Bob', tone: 'error', text: 'Not allowed' }
  expect(entryOf({ details: { refused: 'ApprovalClosed' } })).toMatchObject(refused)
})

test('what the server does by itself is not told of its token', () => {
  const noName = { operator_id: null, operator: null }
  const expired = entryOf({ ...noName, kind: 'server', act: 'expireApproval' })
  expect(expired?.title).toBe('Expire approval by the server')
  const byToken = entryOf({ ...noName, kind: 'token', act: 'holdPurchase' })
  expect(byToken?.title).toBe('Held by somebody with the server’s token')
})
