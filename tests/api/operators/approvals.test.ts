import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { approvalsContract } from '#contract/operator/approvals.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { teamContract } from '#contract/operator/team.ts'
import { usd } from '#domain/money.ts'
import { decideApproval } from '#server/database/operators/approvals.ts'
import { NO_SALE_FILE } from '#server/database/sale/applied-sale.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { expireApprovals } from '#server/use-cases/approvals/decide-approval.ts'
import { carryOut, carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  mine,
  part,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import {
  aColleague,
  aKeyOf,
  type OperatorPerson,
  waitOf,
} from '#tests/kit/builders/an-operator-person.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  named,
  operator,
  owedPurchases,
  refundCounts,
  tryToPay,
} from '#tests/kit/builders/an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DOLLAR = 10n ** 6n
const HOUR_MS = 60 * 60_000

/** Everything above four dollars takes two; what is owed in these tests is five. */
const strictSale = (sale: Sale): Sale => ({
  ...quickSale(sale),
  approvals: { ...sale.approvals, refundOver: usd(4n * DOLLAR), releaseOver: usd(4n * DOLLAR) },
})

let app: TestApp
let buyer: RegisteredUser
let ada: OperatorPerson
let bob: OperatorPerson
let receiptId: string
beforeEach(async () => {
  app = await startApp({ changeSale: strictSale })
  buyer = await aUser(app)
  ada = await aColleague(app, 'Ada')
  bob = await aColleague(app, 'Bob')
  ;({ receiptId } = await anOwedPurchase(app, buyer))
})
afterEach(async () => {
  await expectInvariants(app)
  await app.close()
})

const askToPay = (as: CallOptions) => {
  const input = { params: { id: receiptId }, headers: {}, body: { hash: 'the-hash-that-paid' } }
  return app.client.call(operatorContract.payRefund, input, as)
}
const approve = (id: string, hash: string, as: CallOptions) =>
  app.client.call(approvalsContract.approveAct, { params: { id }, body: { hash } }, as)
const refuse = (id: string, as: CallOptions) =>
  app.client.call(approvalsContract.refuseAct, { params: { id }, body: { reason: 'No' } }, as)
const withdraw = (id: string, as: CallOptions) =>
  app.client.call(approvalsContract.withdrawAct, { params: { id } }, as)
const look = async (id: string, by = ada) =>
  (await app.client.call(approvalsContract.getApproval, { params: { id } }, by.as)).body

/** What the log has, oldest first: who did what, and with which details. */
async function acts(): Promise<{ operator: string | null; act: string; details: object }[]> {
  const { body } = await app.client.call(operatorContract.listActions, { query: {} }, operator)
  return body.data.toReversed()
}
const lastAct = async () => (await acts()).at(-1)

describe('a refund above the amount of the sale file', () => {
  test('waits, is approved by another person, and is done once in the name of who asked', async () => {
    const waiting = waitOf(await askToPay(ada.as))
    expect(waiting).toMatchObject({
      act: 'payRefund',
      about: receiptId,
      state: 'waiting',
      asked_by: { id: ada.id, name: 'Ada' },
      permission: 'refunds.pay',
      input: { id: receiptId, hash: 'the-hash-that-paid', shared: false },
    })
    expect(Number(waiting.amount_fiat)).toBeCloseTo(5, 0)
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
    expect(await lastAct()).toMatchObject({ operator: 'Ada', act: 'askForApproval' })
    // Whoever finds it in the inbox as well would send the money once more.
    const { body: inbox } = await app.client.call(consoleContract.listInbox, { query: {} }, bob.as)
    expect(inbox.data.map(({ kind }) => kind)).toEqual(['approval'])
    const asked = [{ approval_id: waiting.id, act: 'payRefund', asked_by: 'Ada' }]
    expect((await listRefunds(app)).data).toMatchObject([{ state: 'open', asked_acts: asked }])

    // What the second person has to know: whom it is owed to, how much of what, and why.
    const [owed] = (await listRefunds(app)).data
    const refund = { ...owed, sent_explorer_url: null }
    expect(await look(waiting.id)).toEqual({ ...waiting, refund })
    expect(refund).toMatchObject({ user: { id: buyer.user.id }, amount: waiting.input['amount'] })

    const { body } = await approve(waiting.id, waiting.hash, bob.as)
    expect(body).toMatchObject({ state: 'done', decided_by: { id: bob.id, name: 'Bob' } })
    expect((await look(waiting.id)).refund).toMatchObject({
      state: 'paid',
      paid_hash: 'the-hash-that-paid',
    })
    expect(await refundCounts(app)).toMatchObject({ open: 0, paid: 1 })
    expect((await acts()).slice(-2)).toMatchObject([
      { operator: 'Bob', act: 'approveAct' },
      {
        operator: 'Ada',
        act: 'payRefund',
        details: { approval_id: waiting.id, approved_by: `Bob (${bob.id})` },
      },
    ])
  })

  test('asked for again by the same person is the same; another person is refused', async () => {
    const first = waitOf(await askToPay(ada.as))
    expect(waitOf(await askToPay(ada.as)).id).toBe(first.id)
    expect((await askToPay(bob.as)).refusal.reason).toBe('RefundClaimed')
  })

  test('is never approved by who asked, and the try is recorded', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    expect((await approve(id, hash, ada.as)).refusal).toMatchObject({ reason: 'OwnApproval' })
    expect(await lastAct()).toMatchObject({
      operator: 'Ada',
      act: 'approveAct',
      details: { approval_id: id, refused: 'OwnApproval' },
    })
    expect((await look(id)).state).toBe('waiting')
  })

  test('is not approved by its own maker even past the code: the database refuses', async () => {
    const { id } = waitOf(await askToPay(ada.as))
    const decision = { id, state: 'approved' as const, reason: null, decided_name: 'Ada' }
    const decide = app.open.database.transaction().execute((transaction) =>
      decideApproval(transaction, {
        ...decision,
        decided_by: ada.id,
        decided_at: app.clock.now(),
      }),
    )
    await expect(decide).rejects.toThrow(/approvals_by_two/)
    const change = sql`update approvals set input = '{}' where id = ${id}`
    await expect(change.execute(app.open.database)).rejects.toThrow(/does not change/)
    await expect(sql`delete from approvals`.execute(app.open.database)).rejects.toThrow(/are kept/)
  })

  test('is approved by nobody who has not seen it: another hash is refused and recorded', async () => {
    const { id } = waitOf(await askToPay(ada.as))
    const refused = await approve(id, 'ab'.repeat(32), bob.as)
    expect(refused.refusal).toMatchObject({ code: 409, reason: 'ApprovalChanged' })
    expect(await lastAct()).toMatchObject({
      operator: 'Bob',
      details: { refused: 'ApprovalChanged' },
    })
    expect((await look(id)).state).toBe('waiting')
  })

  test('is approved by nobody who may not pay refunds, by no key and not with the token', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    const vera = await aColleague(app, 'Vera', 'viewer')
    const key = await aKeyOf(app, bob, ['approvals.read', 'refunds.pay'])
    for (const [as, sentence] of [
      [vera.as, /viewer.*mark refunds as paid/],
      [operator, /Only a person/],
    ] as const) {
      const { refusal } = await approve(id, hash, as)
      expect(refusal).toMatchObject({ code: 403, reason: 'PermissionMissing' })
      expect(refusal.message).toMatch(sentence)
      expect(await lastAct()).toMatchObject({ details: { refused: 'PermissionMissing' } })
    }
    for (const { refusal } of [await approve(id, hash, key), await refuse(id, key)]) {
      expect(refusal).toMatchObject({ code: 403, reason: 'PermissionMissing' })
    }
    expect((await look(id)).state).toBe('waiting')
  })

  test('is never approved twice', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    await approve(id, hash, bob.as)
    const again = await approve(id, hash, bob.as)
    expect(again.refusal).toMatchObject({ code: 409, reason: 'ApprovalClosed' })
    expect(again.refusal.message).toBe('Bob has approved this already')
    expect(await refundCounts(app)).toMatchObject({ open: 0, paid: 1 })
  })

  test('is never approved after its expiry, and may be asked for anew', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    await app.passTime(72 * HOUR_MS)
    const late = await approve(id, hash, bob.as)
    expect(late.refusal).toMatchObject({ reason: 'ApprovalClosed' })
    expect(late.refusal.message).toBe('This has expired. Ask for it again')
    expect((await look(id)).state).toBe('expired')
    expect((await acts()).slice(-2)).toMatchObject([
      { act: 'expireApproval' },
      { operator: 'Bob', act: 'approveAct', details: { refused: 'ApprovalClosed' } },
    ])
    // Whoever is to send it has to know that it may have been sent.
    const [refund] = (await listRefunds(app)).data
    const mark = { approval_id: id, asked_by: 'Ada', hash: 'the-hash-that-paid' }
    expect(refund).toMatchObject({ state: 'open', asked_acts: [], ended_mark: mark })
    const { body: inbox } = await app.client.call(consoleContract.listInbox, { query: {} }, bob.as)
    expect(inbox.data.find(({ kind }) => kind === 'refund')?.detail).toMatch(
      /^Less was paid than was due\. Ada asked to mark it as paid by the-hash-that-paid, /,
    )
    const anew = waitOf(await askToPay(ada.as))
    expect(anew.id).not.toBe(id)
    expect((await listRefunds(app)).data).toMatchObject([{ ended_mark: null }])
    await app.passTime(72 * HOUR_MS)
    await expireApprovals(app.services)
    await expireApprovals(app.services)
    expect((await look(anew.id)).state).toBe('expired')
    // Asking for what is over, before anything has closed it, is asking anew.
    const third = waitOf(await askToPay(ada.as))
    await app.passTime(73 * HOUR_MS)
    expect(waitOf(await askToPay(ada.as)).id).not.toBe(third.id)
  })

  test('is refused with a reason, and withdrawn by who asked alone', async () => {
    const first = waitOf(await askToPay(ada.as))
    expect((await refuse(first.id, ada.as)).refusal.reason).toBe('OwnApproval')
    expect((await withdraw(first.id, bob.as)).refusal.reason).toBe('OwnApproval')
    expect((await refuse(first.id, bob.as)).body).toMatchObject({ state: 'refused', reason: 'No' })
    // What is owed from now on may be another amount.
    expect((await look(first.id)).refund).toBeNull()
    expect((await withdraw(first.id, ada.as)).refusal.reason).toBe('ApprovalClosed')
    const second = waitOf(await askToPay(ada.as))
    expect((await withdraw(second.id, ada.as)).body).toMatchObject({ state: 'withdrawn' })
    const late = await approve(second.id, second.hash, bob.as)
    expect(late.refusal.message).toBe('This was withdrawn by the person who asked for it')
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
  })

  test('is paid by another transaction only once it is refused, also with the token', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    const meanwhile = await tryToPay(app, receiptId, 'another-hash')
    expect(meanwhile.refusal.reason).toBe('RefundClaimed')
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
    await refuse(id, operator)
    expect((await tryToPay(app, receiptId, 'another-hash')).status).toBe(200)
    expect((await approve(id, hash, bob.as)).refusal.reason).toBe('ApprovalClosed')
    expect(await refundCounts(app)).toMatchObject({ open: 0, paid: 1 })
  })

  test('of which another amount is owed by now fails, and nothing is lost', async () => {
    const purchase = await aPurchase(app, buyer, { usd: 100_000 })
    receiptId = await pay(app, purchase, part(purchase, 1.1))
    await mine(app, 2)
    const waiting = waitOf(await askToPay(ada.as))
    expect(Number(waiting.input['amount'])).toBeCloseTo(Number(part(purchase, 0.1)))
    const failing = { params: { id: purchase.id }, headers: named, body: { reason: 'A mistake' } }
    await app.client.call(operatorContract.failPurchase, failing, operator)
    const { body } = await approve(waiting.id, waiting.hash, bob.as)
    expect(body.state).toBe('failed')
    expect(body.reason).toMatch(/is owed for this receipt, not /)
    expect(await lastAct()).toMatchObject({ act: 'failApproved', details: { call: 'payRefund' } })
    const owed = (await listRefunds(app)).data.find((each) => each.receipt_id === receiptId)
    expect(owed).toMatchObject({ state: 'open', amount: part(purchase, 1.1) })
    expect(await refundCounts(app)).toMatchObject({ open: 2, paid: 0 })
  })

  test('fails where who asked for it was removed since', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    await sql`update operators set removed_at = now() where id = ${ada.id}`.execute(
      app.open.database,
    )
    const { refusal } = await approve(id, hash, bob.as)
    expect(refusal.message).toContain('may no longer do it')
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
  })

  /** As far as Bob gets before the server dies. */
  async function approveOnly(id: string) {
    const decision = { id, state: 'approved' as const, reason: null, decided_name: 'Bob' }
    const decided = { ...decision, decided_by: bob.id, decided_at: app.clock.now() }
    return await app.open.database
      .transaction()
      .execute((transaction) => decideApproval(transaction, decided))
  }

  test('is done by any instance where the server died in between, and once', async () => {
    const { id } = waitOf(await askToPay(ada.as))
    const approval = await approveOnly(id)
    await carryOutApproved(app.services)
    expect((await look(id)).state).toBe('done')
    await carryOut(app.services, approval)
    await carryOutApproved(app.services)
    expect(await refundCounts(app)).toMatchObject({ open: 0, paid: 1 })
    expect((await acts()).filter(({ act }) => act === 'payRefund')).toHaveLength(1)
  })

  test.each([
    ['asked for it', () => [ada, bob] as const],
    ['approved it', () => [bob, ada] as const],
  ])('is not done later where who %s was removed meanwhile', async (_, who) => {
    const { id } = waitOf(await askToPay(ada.as))
    await approveOnly(id)
    const [removed, left] = who()
    await sql`update operators set removed_at = now() where id = ${removed.id}`.execute(
      app.open.database,
    )
    await carryOutApproved(app.services)
    expect(await look(id, left)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(
        'Whoever asked for this, or approved it, may no longer do it',
      ),
    })
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
  })

  const resetFactors = (id: string) =>
    app.client.call(teamContract.resetFactors, { params: { id }, headers: named }, operator)

  test('is not approved where a thief may have asked for it, and is done if asked for anew', async () => {
    const { id, hash } = waitOf(await askToPay(ada.as))
    await resetFactors(ada.id)
    const { refusal } = await approve(id, hash, bob.as)
    expect(refusal.message).toContain('had their second factors reset since')
    const { database } = app.open
    const sessions = database.updateTable('operator_sessions').where('id', '=', ada.sessionId)
    await sessions.set({ ended_at: null }).execute()
    const onItsWay = waitOf(await askToPay(ada.as))
    const { refusal: late } = await approve(onItsWay.id, onItsWay.hash, bob.as)
    expect(late.message).toContain('had their second factors reset since')
    const links = database.updateTable('operator_invitations').where('operator_id', '=', ada.id)
    await links.set({ accepted_at: app.clock.now() }).execute()
    await app.passTime(1000)
    const anew = waitOf(await askToPay(ada.as))
    expect((await approve(anew.id, anew.hash, bob.as)).body.state).toBe('done')
  })

  test.each([
    ['asked for', () => [ada, bob] as const],
    ['approved', () => [bob, ada] as const],
  ])('is not done later where a thief may have %s it', async (_, who) => {
    const { id } = waitOf(await askToPay(ada.as))
    await approveOnly(id)
    const [robbed, other] = who()
    await resetFactors(robbed.id)
    await carryOutApproved(app.services)
    expect((await look(id, other)).state).toBe('failed')
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
  })
})

describe('who asks', () => {
  test('by a key waits as well, and the person who made the key may not approve it', async () => {
    const waiting = waitOf(await askToPay(await aKeyOf(app, ada, ['refunds.pay'])))
    expect(waiting.asked_by.name).toBe('books')
    expect(waiting.asked_person_id).toBe(ada.id)
    expect((await approve(waiting.id, waiting.hash, ada.as)).refusal.reason).toBe('OwnApproval')
    expect((await approve(waiting.id, waiting.hash, bob.as)).body.state).toBe('done')
  })

  test.each([
    ['was removed', { removed_at: new Date() }],
    ['may not do it any more', { role: 'viewer' }],
  ] as const)('by a key whose maker %s gets no approval', async (_, change) => {
    const { id, hash } = waitOf(await askToPay(await aKeyOf(app, ada, ['refunds.pay'])))
    await app.open.database.updateTable('operators').set(change).where('id', '=', ada.id).execute()
    const { refusal } = await approve(id, hash, bob.as)
    expect(refusal.message).toContain('may no longer do it')
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
  })

  test.each([
    ['has expired', { expires_at: new Date(0) }],
    ['was ended', { ended_at: new Date() }],
  ])('by a key that %s gets no approval', async (_, change) => {
    const { id, hash } = waitOf(await askToPay(await aKeyOf(app, ada, ['refunds.pay'])))
    await app.open.database.updateTable('api_keys').set(change).execute()
    const { refusal } = await approve(id, hash, bob.as)
    expect(refusal.message).toContain('may no longer do it')
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
  })

  test('a server with the rules of an older sale file is not asked', async () => {
    // None is applied before the first one.
    app.services.saleFileId += 1n
    const rules = app.services.sale
    app.services.sale = {
      ...rules,
      approvals: { ...rules.approvals, refundOver: usd(9n * DOLLAR) },
    }
    const reply = await askToPay(ada.as)
    expect(reply.refusal).toMatchObject({
      code: 503,
      message: expect.stringContaining('Another sale file was applied') as string,
    })
    app.services.saleFileId -= 1n
    app.services.sale = rules
    expect(await refundCounts(app)).toMatchObject({ open: 1, paid: 0 })
    expect(waitOf(await askToPay(ada.as)).state).toBe('waiting')
  })

  test('with the server’s token acts at once, which is recorded', async () => {
    expect((await tryToPay(app, receiptId, 'the-hash-that-paid')).status).toBe(200)
    expect((await acts()).slice(-2)).toMatchObject([
      { operator: 'Olga', act: 'actAlone', details: { call: 'payRefund', why: 'token' } },
      { operator: 'Olga', act: 'payRefund' },
    ])
    const olive = await aColleague(app, 'Olive', 'owner')
    const late = await anOwedPurchase(app, buyer)
    await tryToPay(app, late.receiptId, 'the-other-hash')
    await sendMails(app.services)
    const mail = app.mailbox.taken.findLast(({ to }) => to === olive.email)
    expect(mail?.subject).toMatch(/^Done with the server’s token at the .* presale: Pay refund$/)
    expect(mail?.text).toContain('“Olga”')
  })

  test('acts at once for what is not above the amount', async () => {
    const { open } = app
    const cheap = (sale: Sale): Sale => ({
      ...strictSale(sale),
      approvals: { ...sale.approvals, refundOver: usd(6n * DOLLAR) },
    })
    const other = await startApp({ changeSale: cheap, open })
    const hash = 'the-hash-that-paid'
    const input = { params: { id: receiptId }, headers: {}, body: { hash } }
    const { status } = await other.client.call(operatorContract.payRefund, input, ada.as)
    expect(status).toBe(200)
    await other.close()
  })
})

describe('a sale with one operator', () => {
  beforeEach(async () => {
    await sql`delete from operator_sessions where operator_id = ${bob.id}`.execute(
      app.open.database,
    )
    // As if he had never come in, which nothing of the product can do.
    await app.open.database.transaction().execute(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction)
      await sql`delete from operators where id = ${bob.id}`.execute(transaction)
    })
  })

  test('does not wait for somebody who never was, and that is recorded', async () => {
    expect((await askToPay(ada.as)).status).toBe(200)
    expect((await acts()).slice(-2)).toMatchObject([
      { operator: 'Ada', act: 'actAlone', details: { call: 'payRefund', why: 'alone' } },
      { operator: 'Ada', act: 'payRefund' },
    ])
  })

  test('waits if there was another one, even if since removed or demoted', async () => {
    const eve = await aColleague(app, 'Eve', 'viewer')
    await sql`update operators set removed_at = now() where id = ${eve.id}`.execute(
      app.open.database,
    )
    expect((await askToPay(ada.as)).status).toBe(202)
  })
})

describe('releasing a purchase', () => {
  async function aHeldPurchase() {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    const input = { params: { id: purchase.id }, headers: named, body: { reason: 'Looks odd' } }
    await app.client.call(operatorContract.holdPurchase, input, operator)
    await mine(app, 2)
    return purchase
  }
  const release = (id: string, as: CallOptions) =>
    app.client.call(
      operatorContract.releasePurchase,
      { params: { id }, headers: {}, body: { reason: 'It is fine' } },
      as,
    )

  test('waits, and is credited once another person has approved', async () => {
    const purchase = await aHeldPurchase()
    const waiting = waitOf(await release(purchase.id, ada.as))
    expect(waiting).toMatchObject({ act: 'releasePurchase', about: purchase.id })
    // Whoever finds the purchase there as well would only ask for the same once more.
    const { body: inbox } = await app.client.call(consoleContract.listInbox, { query: {} }, bob.as)
    expect(inbox.data.map(({ kind }) => kind)).toEqual(['refund', 'approval'])
    expect((await lookAt(app, buyer, purchase)).status).toBe('processing')
    expect((await approve(waiting.id, waiting.hash, bob.as)).body.state).toBe('done')
    expect((await lookAt(app, buyer, purchase)).status).toBe('completed')
  })

  test('that is worth more by now fails, and can be asked for again', async () => {
    const purchase = await aHeldPurchase()
    const waiting = waitOf(await release(purchase.id, ada.as))
    await pay(app, purchase, part(purchase, 3))
    const { body } = await approve(waiting.id, waiting.hash, bob.as)
    expect(body.state).toBe('failed')
    expect(body.reason).toMatch(/^The purchase is now worth \$\d+.*, not \$/)
    expect((await lookAt(app, buyer, purchase)).status).toBe('processing')
    const anew = waitOf(await release(purchase.id, ada.as))
    expect((await approve(anew.id, anew.hash, bob.as)).body.state).toBe('done')
  })

  test('does not undo what was decided after it was asked for', async () => {
    const { id, ...purchase } = await aHeldPurchase()
    const waiting = waitOf(await release(id, ada.as))
    app.clock.pass(1)
    const input = { params: { id }, headers: {}, body: { reason: 'Fraud' } }
    expect((await app.client.call(operatorContract.failPurchase, input, bob.as)).status).toBe(200)
    const { body } = await approve(waiting.id, waiting.hash, bob.as)
    expect(body).toMatchObject({
      state: 'failed',
      reason: 'The purchase was marked again since: it is failed now',
    })
    expect((await lookAt(app, buyer, { id, ...purchase })).status).toBe('failed')
    const anew = waitOf(await release(id, ada.as))
    expect(anew.summary).toBe('Release a purchase that was failed')
  })

  test('does not undo a hold for another reason that came after it was asked for', async () => {
    const purchase = await aHeldPurchase()
    const waiting = waitOf(await release(purchase.id, ada.as))
    const body = { reason: 'Police: stolen coins' }
    const input = { params: { id: purchase.id }, headers: {}, body }
    await app.client.call(operatorContract.holdPurchase, input, bob.as)
    expect((await approve(waiting.id, waiting.hash, bob.as)).body).toMatchObject({
      state: 'failed',
      reason: 'The purchase was marked again since: it is held now',
    })
    expect((await lookAt(app, buyer, purchase)).status).toBe('processing')
    const anew = waitOf(await release(purchase.id, ada.as))
    expect((await approve(anew.id, anew.hash, bob.as)).body.state).toBe('done')
  })
})

describe('resuming in spite of faults in the books', () => {
  let owners: [OperatorPerson, OperatorPerson]
  beforeEach(async () => {
    owners = [await aColleague(app, 'Olive', 'owner'), await aColleague(app, 'Otto', 'owner')]
  })
  const resume = (force: boolean, { as }: OperatorPerson) =>
    app.client.call(operatorContract.resumeSale, { body: { force } }, as)
  const sellTooMuch = (stage: string, by: number) =>
    sql`update stage_counters set sold = sold + ${by} where stage_id = ${stage}`.execute(
      app.open.database,
    )

  test('waits for a second owner; without faults it does not', async () => {
    const [olive, otto] = owners
    expect((await resume(true, olive)).status).toBe(200)
    await sellTooMuch('stage-1', 1)
    const waiting = waitOf(await resume(true, olive))
    expect(waiting).toMatchObject({ act: 'resumeSale', about: null, amount_fiat: null })
    expect((await approve(waiting.id, waiting.hash, bob.as)).refusal.reason).toBe(
      'PermissionMissing',
    )
    expect((await approve(waiting.id, waiting.hash, otto.as)).body.state).toBe('done')
    expect((await acts()).at(-1)).toMatchObject({ operator: 'Olive', act: 'resumeSale' })
    await sellTooMuch('stage-1', -1)
    app.complaints.splice(0)
  })

  test('does not end a pause that began after it was asked for', async () => {
    const [olive, otto] = owners
    const pause = async (reason: string) => {
      app.clock.pass(1)
      await app.client.call(operatorContract.pauseSale, { body: { reason } }, olive.as)
    }
    await sellTooMuch('stage-1', 1)
    await pause('More is sold than there is')
    const waiting = waitOf(await resume(true, olive))
    await sellTooMuch('stage-1', -1)
    expect((await resume(false, olive)).body.pause).toBeNull()
    await pause('The price feed is hacked')
    expect((await approve(waiting.id, waiting.hash, otto.as)).body).toMatchObject({
      state: 'failed',
      reason: 'The sale was resumed or paused again since this was asked for',
    })
    const { body: state } = await app.client.call(operatorContract.getSaleState, {}, olive.as)
    expect(state.pause).toMatchObject({ reason: 'The price feed is hacked' })
    app.complaints.splice(0)
  })

  test('does not cover a fault that came since', async () => {
    const [olive, otto] = owners
    await sellTooMuch('stage-1', 1)
    const waiting = waitOf(await resume(true, olive))
    await sellTooMuch('stage-2', 1)
    const { body } = await approve(waiting.id, waiting.hash, otto.as)
    expect(body.state).toBe('failed')
    expect(body.reason).toMatch(/^Other faults have been found since this was asked for/)
    await sellTooMuch('stage-1', -1)
    await sellTooMuch('stage-2', -1)
    app.complaints.splice(0)
  })
})

describe('applying a sale file', () => {
  const apply = async (change: (text: string) => string, { as }: OperatorPerson) => {
    const { body: applied } = await app.client.call(saleFilesContract.getSaleFile, {}, as)
    const text = change(applied.text)
    const checked = await app.client.call(saleFilesContract.checkSaleFile, { body: { text } }, as)
    const { hash, applied_id } = checked.body
    const body = { text, hash, applied_id }
    return await app.client.call(saleFilesContract.applySaleFile, { headers: {}, body }, as)
  }
  const addRules = (text: string) =>
    `${text}\napprovals: { refund_over_usd: 5000, apply_sale: never }\n`

  test('that changes money waits for a second owner, also where it changes these rules', async () => {
    const olive = await aColleague(app, 'Olive', 'owner')
    const otto = await aColleague(app, 'Otto', 'owner')
    const waiting = waitOf(await apply(addRules, olive))
    expect(waiting).toMatchObject({ act: 'applySaleFile', permission: 'sale.apply' })
    expect(waiting.input['text']).toContain('refund_over_usd: 5000')
    expect((await approve(waiting.id, waiting.hash, otto.as)).body).toMatchObject({
      state: 'done',
    })
    expect(app.services.sale.approvals.applySale).toBe(false)
  })

  test('that changes where buyers are sent waits too, other words do not', async () => {
    const olive = await aColleague(app, 'Olive', 'owner')
    await aColleague(app, 'Otto', 'owner')
    const site = (text: string) => text.replace(/main_site_url: .*/, 'main_site_url: https://x.io')
    expect((await apply(site, olive)).status).toBe(202)
    const year = (text: string) => text.replace(/copyright_year: .*/, 'copyright_year: 2031')
    expect((await apply(year, olive)).status).toBe(200)
  })

  test('waits where this server may have older rules', async () => {
    const { services } = app
    const olive = await aColleague(app, 'Olive', 'owner')
    services.saleFileId += 1n
    const rules = services.sale
    services.sale = { ...rules, approvals: { ...rules.approvals, applySale: false } }
    expect((await apply(addRules, olive)).status).toBe(202)
  })

  test('is no act of a server whose database a newer version has migrated', async () => {
    const olive = await aColleague(app, 'Olive', 'owner')
    app.services.saleFileId = NO_SALE_FILE
    const reply = await apply(addRules, olive)
    expect(reply).toMatchObject({
      status: 503,
      refusal: { message: expect.stringContaining('Stop this server, and use the new one') },
    })
  })

  test('fails where another one was applied meanwhile', async () => {
    const olive = await aColleague(app, 'Olive', 'owner')
    const otto = await aColleague(app, 'Otto', 'owner')
    const first = waitOf(await apply(addRules, olive))
    const second = waitOf(
      await apply((text) => addRules(text).replace('usd: 5000', 'usd: 6000'), olive),
    )
    expect((await approve(second.id, second.hash, otto.as)).body.state).toBe('done')
    const { body } = await approve(first.id, first.hash, otto.as)
    expect(body.state).toBe('failed')
    expect(body.reason).toMatch(/Another sale file was applied/)
    const applied = await app.client.call(saleFilesContract.getSaleFile, {}, olive.as)
    expect(applied.body.text).toContain('refund_over_usd: 6000')
  })
})

test('the list has states and pages, and an id of nothing is a 404', async () => {
  const ids = [waitOf(await askToPay(ada.as)).id]
  for (const owed of await owedPurchases(app, buyer, 2)) {
    await app.passTime(1000)
    receiptId = owed.receiptId
    ids.unshift(waitOf(await askToPay(ada.as)).id)
  }
  await withdraw(ids[1] ?? '', ada.as)
  const list = async (query: { state?: 'waiting' | 'withdrawn'; after?: string; limit?: string }) =>
    (await app.client.call(approvalsContract.listApprovals, { query }, bob.as)).body
  const page = await list({ limit: '2' })
  expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect((await list({ after: page.after ?? '' })).data.map(({ id }) => id)).toEqual(ids.slice(2))
  expect((await list({ state: 'withdrawn' })).data.map(({ id }) => id)).toEqual([ids[1]])
  expect((await list({ state: 'waiting' })).data).toHaveLength(2)
  const nothing = '00000000-0000-4000-8000-000000000000'
  for (const id of [nothing, 'x']) {
    expect((await approve(id, 'ab'.repeat(32), bob.as)).status).toBe(404)
    expect((await refuse(id, bob.as)).status).toBe(404)
    expect((await withdraw(id, bob.as)).status).toBe(404)
  }
})
