import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { peopleContract } from '#contract/operator/people.ts'
import { refundsContract } from '#contract/refunds.ts'
import { usersContract } from '#contract/users.ts'
import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { Caller } from '#server/ports/security.ts'
import { listOwnRefunds } from '#server/use-cases/refunds/own-refunds.ts'
import { readAddress } from '#server/use-cases/refunds/read-address.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  booksOf,
  doublePaymentsOf,
  fileOf,
  cancelBatch,
  claim,
  loggedIn,
  lookAtBatch,
  lookAtClaim,
  passTheDay,
  refundsOf,
  reject,
  send,
  tryToApprove,
  tryToBatch,
  tryToClaim,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import {
  aPurchase,
  expectAllWell,
  expectInvariants,
  lookAt,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
  reorganise,
  settleAgain,
  payInWrongCoin,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  named,
  operator,
  owedPurchases,
  tryToPay,
} from '#tests/kit/builders/an-operator.ts'
import { nothingElse, payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
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

const less = (amount: string, fee: string) =>
  formatDecimal((parseDecimal(amount, 18) ?? 0n) - (parseDecimal(fee, 18) ?? 0n), 18)

const follow = () => followPayouts(app.services)

async function mailsAbout(subject: RegExp) {
  await sendMails(app.services)
  return app.mailbox.taken.filter((mail) => mail.to === buyer.email && subject.test(mail.subject))
}

const atRail = (sale: Sale, rail: 'evm'): Sale => ({
  ...sale,
  paymentTokens: sale.paymentTokens.map((each) => ({ ...each, rail })),
})

describe('from an overpaid purchase to confirmed', () => {
  test('the whole path', async () => {
    const purchase = await aPurchase(app, buyer)
    // Nothing is on sale when the payment comes, so that its surplus buys nothing.
    const pause = { body: { reason: 'A test' } }
    await app.client.call(operatorContract.pauseSale, pause, operator)
    await pay(app, purchase, part(purchase, 2))
    await mine(app, 2)

    const { owed } = await refundsOf(app, buyer)
    const surplus = owed[0]?.amount ?? ''
    expect(Number(surplus)).toBeCloseTo(Number(purchase.payment_amount), 2)
    expect(owed).toMatchObject([
      {
        payment_token: { id: 'eth' },
        chain: 'sandbox',
        amount: surplus,
        is_claimable: true,
        why_not: null,
        is_address_checked: true,
        transactions: [{ transaction_id: purchase.id, amount: surplus, why: 'overpaid' }],
      },
    ])
    const fee = owed[0]?.fee ?? ''
    expect(Number(fee)).toBeGreaterThan(0)
    expect((await lookAt(app, buyer, purchase)).refunds).toMatchObject([
      { status: 'due', is_claimable: true, claim: null },
    ])

    const claimed = await claim(app, buyer)
    const pays = less(surplus, fee)
    expect(claimed).toMatchObject({
      state: 'claimed',
      address: WALLET,
      amount: surplus,
      fee,
      pays,
      transaction_ids: [purchase.id],
      transaction_hash: null,
    })
    const about = { id: claimed.id, state: 'claimed' }
    expect((await lookAt(app, buyer, purchase)).refunds).toMatchObject([
      { status: 'due', is_claimable: false, claim: about },
    ])
    expect((await refundsOf(app, buyer)).owed).toEqual([])
    const [mail] = await mailsAbout(/^You asked for/)
    expect(mail?.subject).toBe(`You asked for ${pays} ETH to be paid back`)
    expect(mail?.text).toContain(WALLET)
    expect(mail?.text).toContain('cancel it before that time')

    await passTheDay(app)
    expect((await tryToApprove(app, claimed)).body).toMatchObject({ state: 'approved' })
    expect(await booksOf(app)).toMatchObject({ promised: surplus })
    expect(await booksOf(app)).not.toHaveProperty('refunds')
    await settleAgain(app, purchase)
    expect(await booksOf(app)).toMatchObject({ promised: surplus })
    await expectInvariants(app)

    const batch = await aBatch(app)
    expect(batch).toMatchObject({
      state: 'open',
      claims: 1,
      sent: 0,
      formats: ['csv'],
      sums: [{ payment_token: { id: 'eth' }, pays, claims: 1 }],
      manifest: { rows: [{ claim_id: claimed.id, address: WALLET, pays }] },
    })
    const file = await app.client.call(
      refundBatchesContract.getRefundBatchFile,
      { params: { id: batch.id, format: 'csv' } },
      operator,
    )
    expect(file.body.text).toContain(`"${WALLET}","${pays}"`)
    const { rows: acts } = await sql<{ details: Record<string, string> }>`
      select details from operator_actions where act = 'makeRefundBatch'`.execute(app.open.database)
    expect(acts).toMatchObject([{ details: { sha256: batch.manifest.sha256 } }])

    await follow()
    expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'open', sent: 0 })
    await send(app, WALLET, pays)
    await follow()
    expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'sent', sent: 1 })
    await mine(app, 1)
    await follow()
    const back = await loggedIn(app, buyer)
    expect((await refundsOf(app, back)).claims).toMatchObject([
      { state: 'sent', confirmations: 1, required_confirmations: 2 },
    ])
    await mine(app, 1)
    await follow()
    const [paid] = (await refundsOf(app, back)).claims
    expect(paid).toMatchObject({ state: 'confirmed', confirmations: 2 })
    expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed', confirmed: 1 })
    expect(await booksOf(app)).toMatchObject({ paid_out: pays, refund_fees: fee })
    expect(await booksOf(app)).not.toHaveProperty('promised')
    expect((await lookAt(app, back, purchase)).refunds).toMatchObject([
      {
        status: 'paid',
        amount: surplus,
        sent_amount: pays,
        transaction_hash: paid?.transaction_hash,
        claim: { id: claimed.id, state: 'confirmed' },
      },
    ])
    expect((await listRefunds(app, { state: 'paid' })).data).toMatchObject([
      { amount: surplus, fee },
    ])
    const [last] = await mailsAbout(/was paid back to you$/)
    expect(last?.subject).toBe(`${pays} ETH was paid back to you`)
    expect(last?.text).toContain(paid?.transaction_hash ?? '')
    await follow()
    expect(await doublePaymentsOf(app)).toEqual([])
  })

  test('one claim takes all that is owed in a coin', async () => {
    const owed = await owedPurchases(app, buyer, 3)
    const claimed = await anApprovedClaim(app, buyer)
    expect(claimed.transaction_ids.toSorted()).toEqual(
      owed.map(({ purchase }) => purchase.id).toSorted(),
    )
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
    expect((await listRefunds(app, { state: 'paid' })).data).toHaveLength(3)
    expect(await booksOf(app)).toEqual({ paid_out: claimed.pays, refund_fees: claimed.fee })
  })
})

describe('claiming', () => {
  test('can be taken back, and done anew with another address', async () => {
    await anOwedPurchase(app, buyer)
    const first = await claim(app, buyer)
    const cancel = () =>
      app.client.call(refundsContract.cancelRefundClaim, { params: { id: first.id } }, buyer.as)
    expect((await cancel()).body).toMatchObject({ state: 'cancelled' })
    expect((await cancel()).body).toMatchObject({ state: 'cancelled' })
    expect(await mailsAbout(/was cancelled$/)).toHaveLength(1)
    const second = await claim(app, buyer, { address: 'sandbox-another' })
    expect(second).toMatchObject({ state: 'claimed', address: 'sandbox-another' })
    const { claims } = await refundsOf(app, buyer)
    expect(claims.map(({ state }) => state)).toEqual(['claimed', 'cancelled'])
  })

  test('is refused for a wrong password, another amount or fee, and a bad address', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const own = purchase.payment_address ?? ''
    const tries: [Parameters<typeof tryToClaim>[2], number, string][] = [
      [{ password: 'not-this-one' }, 400, 'WrongPassword'],
      [{ amount: '1' }, 409, 'RefundChanged'],
      [{ fee: '0' }, 409, 'RefundChanged'],
      [{ address: own }, 400, 'InvalidInput'],
      [{ address: '0x52908400098527886E0F7030069857D2E4169EE7' }, 400, 'InvalidInput'],
      [{ address: '' }, 400, 'InvalidInput'],
    ]
    for (const [change, status, reason] of tries) {
      expect(await tryToClaim(app, buyer, change)).toMatchObject({ status, refusal: { reason } })
    }
    expect((await refundsOf(app, buyer)).claims).toEqual([])
  })

  test('takes no more of a fee than was shown', async () => {
    await anOwedPurchase(app, buyer)
    const [owed] = (await refundsOf(app, buyer)).owed
    const more = less(owed?.amount ?? '', '0')
    expect(await claim(app, buyer, { fee: more })).toMatchObject({ fee: owed?.fee })
  })

  test('is refused where nothing is owed, or it is claimed already', async () => {
    expect(await tryToClaim(app, buyer)).toMatchObject({ refusal: { reason: 'RefundNotOwed' } })
    await anOwedPurchase(app, buyer)
    await claim(app, buyer)
    expect(await tryToClaim(app, buyer)).toMatchObject({ refusal: { reason: 'RefundClaimed' } })
  })

  test('waits until there is enough to be sent', async () => {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, '0.00001')
    await mine(app, 2)
    await app.passTime(61_000)
    await passTheDay(app)
    const back = { ...buyer, ...(await loggedIn(app, buyer)) }
    expect((await refundsOf(app, back)).owed).toMatchObject([
      { amount: '0.00001', is_claimable: false, why_not: 'too_small' },
    ])
    expect(await tryToClaim(app, back)).toMatchObject({ refusal: { reason: 'RefundTooSmall' } })
  })

  test('of somebody else is not there', async () => {
    await anOwedPurchase(app, buyer)
    const { id } = await claim(app, buyer)
    const other = await aUser(app)
    const input = { params: { id } }
    const reply = await app.client.call(refundsContract.cancelRefundClaim, input, other.as)
    expect(reply.status).toBe(404)
    expect(await refundsOf(app, other)).toEqual({ owed: [], claims: [] })
  })

  test('an address of another chain than its coin is refused', async () => {
    const { rails, sale } = app.services
    const elsewhere = { ...app.services, sale: atRail(sale, 'evm'), rails }
    const wanted = { paymentTokenId: 'eth', chain: 'sandbox', address: WALLET }
    await expect(readAddress(elsewhere, wanted)).rejects.toMatchObject({
      reason: 'UnknownPaymentToken',
    })
  })

  test('a coin that moved to another rail is shown, and a person has to be asked', async () => {
    await anOwedPurchase(app, buyer)
    const { sale } = app.services
    const elsewhere = { ...app.services, sale: atRail(sale, 'evm') }
    const caller = { userId: buyer.user.id } as Caller
    expect((await listOwnRefunds(elsewhere, caller)).owed).toMatchObject([
      { paymentToken: { id: 'eth' }, whyNot: 'unknown_asset', terms: { fee: 0n } },
    ])
  })

  test('an address is checked by itself', async () => {
    const check = (address: string) => {
      const body = { payment_token_id: 'eth', chain: 'sandbox', address }
      return app.client.call(refundsContract.checkRefundAddress, { body }, buyer.as)
    }
    expect((await check(` ${WALLET} `)).body).toEqual({ address: WALLET, is_checked: true })
    expect(await check('bc1qxyz')).toMatchObject({
      status: 400,
      refusal: { errors: [{ path: 'address', code: 'sandbox' }] },
    })
    const { payment_address: own } = await aPurchase(app, buyer)
    expect(await check(own ?? '')).toMatchObject({
      status: 400,
      refusal: { errors: [{ path: 'address', code: 'own' }] },
    })
  })
})

describe('approving', () => {
  test('waits for the day to end, and names what was seen', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    expect(await tryToApprove(app, claimed)).toMatchObject({ refusal: { reason: 'ClaimTooEarly' } })
    await passTheDay(app)
    for (const change of [{ amount: '1' }, { address: 'sandbox-another' }]) {
      const reply = await tryToApprove(app, claimed, change)
      expect(reply).toMatchObject({ status: 409, refusal: { reason: 'ClaimChanged' } })
    }
    expect((await tryToApprove(app, claimed)).status).toBe(200)
    expect((await tryToApprove(app, claimed)).status).toBe(200)
    const back = await loggedIn(app, buyer)
    const input = { params: { id: claimed.id } }
    const reply = await app.client.call(refundsContract.cancelRefundClaim, input, back.as)
    expect(reply).toMatchObject({ status: 409, refusal: { reason: 'ClaimClosed' } })
  })

  test('waits until the buyer was told, if mails cannot be sent for a day', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    const send = vi.spyOn(app.services.mailSender, 'send').mockRejectedValue(new Error('No mails'))
    await passTheDay(app)
    expect((await tryToApprove(app, claimed)).refusal).toMatchObject({
      reason: 'ClaimTooEarly',
      message: expect.stringContaining('its mail still waits to be sent'),
    })
    // Nor does an erasure take the mail away.
    const typed = { params: { id: buyer.user.id }, headers: named, body: { email: buyer.email } }
    expect(await app.client.call(peopleContract.erasePerson, typed, operator)).toMatchObject({
      refusal: { reason: 'ClaimCancellable', message: expect.stringContaining('in 60 minutes') },
    })
    send.mockRestore()
    await app.passTime(60 * 60_000)
    expect(await mailsAbout(/^You asked for/)).toHaveLength(1)
    expect(await app.client.call(peopleContract.erasePerson, typed, operator)).toMatchObject({
      refusal: { reason: 'ClaimCancellable', message: expect.stringContaining('in 24 hours') },
    })
    // The day begins once the buyer knows.
    expect((await tryToApprove(app, claimed)).refusal).toMatchObject({
      reason: 'ClaimTooEarly',
      message: expect.stringContaining('has a day to cancel it. Approve it in 24 hours'),
    })
    await passTheDay(app)
    expect((await tryToApprove(app, claimed)).status).toBe(200)
    app.complaints.length = 0
  })

  test('waits until an operator has told the buyer, if the mail was given up', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    app.mailbox.isDown = true
    // More often than any mail is tried.
    for (let tries = 0; tries < 100; tries += 1) {
      await sendMails(app.services)
      await app.passTime(60 * 60_000)
    }
    app.mailbox.isDown = false
    app.complaints.length = 0
    await passTheDay(app)
    expect((await tryToApprove(app, claimed)).refusal).toMatchObject({
      reason: 'ClaimTooEarly',
      message: expect.stringContaining('Have support tell the buyer some other way'),
    })
    const typed = { params: { id: buyer.user.id }, headers: named, body: { email: buyer.email } }
    const tryToErase = async () => [
      await app.client.call(
        usersContract.eraseUser,
        { params: typed.params, body: { password: buyer.password } },
        (await loggedIn(app, buyer)).as,
      ),
      await app.client.call(peopleContract.erasePerson, typed, operator),
    ]
    const lost = 'A refund claim can still be cancelled. The mail about it was lost: '
    const toDo = 'tell them in some other way, and put it away under lost mails'
    expect(await tryToErase()).toMatchObject([
      { refusal: { reason: 'ClaimCancellable', message: `${lost}write to us` } },
      { refusal: { reason: 'ClaimCancellable', message: lost + toDo } },
    ])
    const mails = { kind: 'mail', order: 'oldest' } as const
    const { body } = await app.client.call(consoleContract.listInbox, { query: mails }, operator)
    const item = body.data.find(({ title }) => title.endsWith('refund claimed'))
    const away = { kind: 'mail', id: item?.id ?? '', reason: 'Told by telephone' } as const
    await app.client.call(consoleContract.closeInboxItem, { body: away }, operator)
    expect(await tryToApprove(app, claimed)).toMatchObject({ refusal: { reason: 'ClaimTooEarly' } })
    await passTheDay(app)
    expect((await tryToApprove(app, claimed)).status).toBe(200)
  })

  test('closes a claim to what is owed no more, and lets it be claimed anew', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    await pay(app, purchase, part(purchase, 1))
    await mine(app, 2)
    expect(await tryToApprove(app, claimed)).toMatchObject({ refusal: { reason: 'RefundChanged' } })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'rejected' })
    const [mail] = await mailsAbout(/was rejected$/)
    expect(mail?.text).toContain('has changed since you claimed it')
  })

  test('freezes what is claimed: late money buys for itself alone', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await pay(app, purchase, part(purchase, 1))
    await mine(app, 2)
    expect(await booksOf(app)).toMatchObject({ promised: claimed.amount })
    await expectInvariants(app)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
  })

  test('refuses to pay by hand what is in a claim', async () => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    const refused = { status: 409, refusal: { reason: 'RefundClaimed' } }
    expect(await tryToPay(app, receiptId, 'by-my-own-hand')).toMatchObject(refused)
    await passTheDay(app)
    await tryToApprove(app, claimed)
    expect(await tryToPay(app, receiptId, 'by-my-own-hand')).toMatchObject(refused)
    await reject(app, claimed)
    expect(await tryToPay(app, receiptId, 'by-my-own-hand')).toMatchObject({ status: 200 })
  })

  test('can be taken back by rejecting: it is owed as before', async () => {
    await anOwedPurchase(app, buyer)
    const before = await listRefunds(app)
    const claimed = await anApprovedClaim(app, buyer)
    expect((await listRefunds(app)).data).toEqual([])
    const reply = await reject(app, claimed, 'This is an address of an exchange that is closed')
    expect(reply.body).toMatchObject({ state: 'rejected' })
    expect((await listRefunds(app)).data).toEqual(before.data)
    const log = await app.client.call(operatorContract.listActions, { query: {} }, operator)
    expect(log.body.data[0]).toMatchObject({
      act: 'rejectRefundClaim',
      details: { claim_id: claimed.id, was: 'approved' },
    })
    const [mail] = await mailsAbout(/was rejected$/)
    expect(mail?.text).toContain('This is an address of an exchange that is closed')
    const back = { ...buyer, ...(await loggedIn(app, buyer)) }
    expect(await claim(app, back)).toMatchObject({ state: 'claimed' })
  })
})

describe('when a chain takes something back', () => {
  test('a receipt that goes after the approval is in no batch, and its claim can be rejected', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await reorganise(app, 20)
    await expectInvariants(app)
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'approved', is_covered: false })
    expect(await tryToBatch(app)).toMatchObject({ refusal: { reason: 'NothingToBatch' } })
    await reject(app, claimed, 'Your payment is gone from the chain')
    expect((await listRefunds(app)).data).toEqual([])
    expect(await booksOf(app)).toEqual({})
    await settleAgain(app, purchase)
    expect(await booksOf(app)).toEqual({})
  })

  test('a receipt that goes after its batch was made keeps its files back', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const batch = await aBatch(app)
    await reorganise(app, 20)
    expect(await fileOf(app, batch.id)).toMatchObject({
      status: 409,
      refusal: { reason: 'BatchClosed', message: expect.stringContaining('Cancel this batch') },
    })
    await cancelBatch(app, batch)
    expect(await tryToBatch(app)).toMatchObject({ refusal: { reason: 'NothingToBatch' } })
  })

  test('a payout that is taken back is waited for again', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const batch = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 1)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent' })
    await reorganise(app, 1)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'batched',
      transaction_hash: null,
    })
    expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'open', sent: 0 })
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
    expect(await doublePaymentsOf(app)).toEqual([])
  })

  test('a payout is not taken for gone while blocks are still being read', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 1)
    await follow()
    const payouts = payoutsOf(app)
    const find = vi.spyOn(payouts, 'find')
    find.mockResolvedValue({ found: [], others: [], sights: [], isWhole: false, head: 99n })
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent', confirmations: 1 })
    find.mockResolvedValue({ found: [], others: [], sights: [], isWhole: true, head: 99n })
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
  })

  test('a payout is not taken for gone by the word of a node that is behind', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    const payouts = payoutsOf(app)
    const find = vi.spyOn(payouts, 'find')
    const lookWithout = async (behind: bigint) => {
      const { head } = await payouts.find('sandbox', [], nothingElse)
      find.mockResolvedValueOnce({
        found: [],
        others: [],
        sights: [],
        isWhole: true,
        head: head - behind,
      })
      await follow()
      return (await lookAtClaim(app, claimed)).state
    }
    await follow()
    // It waits for a block, and has not come to this node.
    expect(await lookWithout(0n)).toBe('sent')
    await mine(app, 1)
    await follow()
    expect(await lookWithout(1n)).toBe('sent')
    expect(await lookWithout(0n)).toBe('batched')
  })

  test('a receipt that goes after its refund was sent is paid, and known to be lost', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await reorganise(app, 20)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
    expect((await listRefunds(app, { state: 'uncovered' })).data).toHaveLength(1)
    expect(await booksOf(app)).toMatchObject({ uncovered: `-${claimed.amount}` })
  })
})

describe('while an operator holds a purchase', () => {
  const headers = named
  const body = { reason: 'Whose money is it?' }
  const hold = ({ id }: { id: string }) =>
    app.client.call(operatorContract.holdPurchase, { params: { id }, headers, body }, operator)
  const release = ({ id }: { id: string }) =>
    app.client.call(operatorContract.releasePurchase, { params: { id }, headers, body }, operator)
  const waiting = async () => {
    const { body } = await app.client.call(consoleContract.listInbox, { query: {} }, operator)
    return body.data.map(({ kind }) => kind).filter((kind) => kind !== 'feed')
  }

  test('nothing of it can be claimed, and a claim of it waits', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    await hold(purchase)
    expect((await refundsOf(app, buyer)).owed).toEqual([])
    expect(await tryToClaim(app, buyer)).toMatchObject({ refusal: { reason: 'RefundNotOwed' } })
    await release(purchase)
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    await hold(purchase)
    expect(await tryToApprove(app, claimed)).toMatchObject({
      status: 409,
      refusal: { reason: 'ClaimTooEarly', message: expect.stringContaining('Release it first') },
    })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'claimed', is_held: true })
    await release(purchase)
    expect((await tryToApprove(app, claimed)).body).toMatchObject({ state: 'approved' })
  })

  test('the inbox has it, also where it had expired, for as long as a claim waits for it', async () => {
    const purchase = await aPurchase(app, buyer)
    await payInWrongCoin(app, purchase)
    await mine(app, 2)
    await passExpiry(app)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    expect(await waiting()).toEqual(['claim'])
    await hold(purchase)
    const seen = await lookAt(app, await loggedIn(app, buyer), purchase)
    expect(seen).toMatchObject({ status: 'expired', status_reason: 'wrong_asset' })
    expect(await waiting()).toEqual(['held'])
    await release(purchase)
    await tryToApprove(app, claimed)
    expect(await waiting()).toEqual(['claim_to_send'])
  })

  test('its approved claim is in no batch, and a batch with it gives no file', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    await hold(purchase)
    expect(await tryToBatch(app)).toMatchObject({ refusal: { reason: 'NothingToBatch' } })
    expect(await waiting()).toEqual(['held'])
    await release(purchase)
    expect(await waiting()).toEqual(['claim_to_send'])
    const { id } = await aBatch(app)
    await hold(purchase)
    expect(await fileOf(app, id)).toMatchObject({ status: 409, refusal: { reason: 'BatchClosed' } })
    await release(purchase)
    expect((await fileOf(app, id)).status).toBe(200)
  })
})

test('while a claim can be cancelled nobody erases its account, so its mail reaches the buyer', async () => {
  await anOwedPurchase(app, buyer)
  const claimed = await claim(app, buyer)
  const { id } = buyer.user
  const erase = { params: { id }, body: { password: buyer.password } }
  const message =
    'A refund claim can still be cancelled. Try again once it is cancelled, or in 24 hours'
  const refused = { status: 409, refusal: { reason: 'ClaimCancellable', message } }
  expect(await app.client.call(usersContract.eraseUser, erase, buyer.as)).toMatchObject(refused)
  const typed = { params: { id }, headers: named, body: { email: buyer.email } }
  const byOperator = await app.client.call(peopleContract.erasePerson, typed, operator)
  expect(byOperator).toMatchObject(refused)
  expect(await mailsAbout(/^You asked for .* to be paid back$/)).toHaveLength(1)

  const cancel = { params: { id: claimed.id } }
  await app.client.call(refundsContract.cancelRefundClaim, cancel, buyer.as)
  expect((await app.client.call(usersContract.eraseUser, erase, buyer.as)).status).toBe(204)
})
