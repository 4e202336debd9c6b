import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { foreignTransfersContract } from '#contract/operator/foreign-transfers.ts'
import type { Transaction } from '#contract/shapes.ts'
import { cryptoAmount } from '#domain/money.ts'
import { sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { aPurchase, expectAllWell, mine, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  listForeign,
  listRefunds,
  named,
  operator,
  payRefund,
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

const CONTRACT = '0x00000000000000000000000000000000000000fa'

async function sendToken(purchase: Transaction, token: { isHeld: boolean | null }, times = 1) {
  for (let nth = 0; nth < times; nth += 1) {
    await sendSandboxTransfer(app.open.database, {
      transactionHash: randomUUID(),
      address: purchase.payment_address ?? '',
      paymentTokenId: null,
      foreign: { name: CONTRACT, token: { symbol: 'USDC', ...token } },
      amount: cryptoAmount(100n),
      sentAt: app.clock.now(),
    })
  }
  await mine(app, 2)
}

const decide = (call: 'dismissForeignTransfer' | 'oweForeignTransfer', id: string) =>
  app.client.call(
    foreignTransfersContract[call],
    { params: { id }, headers: named, body: { reason: 'As its sender says' } },
    operator,
  )

describe('a transfer of a token that the sale does not take', () => {
  test('is dismissed once, and can still be taken up when its sender turns up', async () => {
    const purchase = await aPurchase(app, buyer)
    await sendToken(purchase, { isHeld: true })
    const [item] = (await listForeign(app)).data
    const id = item?.id ?? ''
    expect(item).toMatchObject({ asset: CONTRACT, symbol: 'USDC', amount: '100', is_held: true })
    expect((await decide('dismissForeignTransfer', id)).body).toMatchObject({ state: 'dismissed' })
    expect((await decide('dismissForeignTransfer', id)).refusal.reason).toBe('TransferDecided')
    expect((await decide('oweForeignTransfer', id)).body).toMatchObject({ state: 'owed' })
    expect((await decide('oweForeignTransfer', id)).refusal.reason).toBe('TransferDecided')
    expect(await listForeign(app, { state: 'owed' })).toMatchObject({ data: [{ id }], sums: [] })

    const { data } = await listRefunds(app)
    expect(data).toMatchObject([
      { receipt_id: id, payment_token: null, asset: CONTRACT, amount: '100' },
    ])
    expect(await payRefund(app, id, 'sent-back')).toMatchObject({ state: 'paid' })
    expect(await listRefunds(app)).toMatchObject({ data: [], owed: [] })
  })

  test('mails once for a purchase, and not at all where the token says nothing is there', async () => {
    const purchase = await aPurchase(app, buyer)
    const before = app.mailbox.taken.length
    await sendToken(purchase, { isHeld: false }, 2)
    await sendToken(purchase, { isHeld: null }, 2)
    await sendMails(app.services)
    const about = () =>
      app.mailbox.taken.slice(before).filter(({ subject }) => subject.includes('received a token'))
    expect(about()).toEqual([])
    await sendToken(purchase, { isHeld: true }, 3)
    await sendMails(app.services)
    expect(about()).toHaveLength(1)
    // What a token calls itself is the text of whoever made it.
    expect(about()[0]?.text).not.toContain('USDC')
  })

  test('is listed page by page, and put away with all others of its token', async () => {
    const purchase = await aPurchase(app, buyer)
    const other = await aPurchase(app, buyer)
    await sendToken(purchase, { isHeld: true }, 3)
    await sendToken(other, { isHeld: true })
    const first = await listForeign(app, { limit: '3' })
    const second = await listForeign(app, { limit: '3', after: first.after ?? '' })
    expect([first.data.length, second.data.length, second.after]).toEqual([3, 1, null])
    expect(await listForeign(app, { purchase_id: other.id })).toMatchObject({ data: [{}] })
    const input = { headers: named, body: { chain: 'sandbox', asset: CONTRACT, reason: 'A fake' } }
    const dismiss = () =>
      app.client.call(foreignTransfersContract.dismissForeignToken, input, operator)
    expect((await dismiss()).body).toEqual({ dismissed: 4 })
    expect((await dismiss()).body).toEqual({ dismissed: 0 })
  })

  test('is not known by another id, nor a page by another cursor', async () => {
    expect((await decide('oweForeignTransfer', 'x')).refusal.reason).toBe('NotFound')
    expect((await decide('dismissForeignTransfer', randomUUID())).refusal.reason).toBe('NotFound')
    const call = foreignTransfersContract.listForeignTransfers
    const reply = await app.client.call(call, { query: { after: 'x' } }, operator)
    expect(reply.refusal.errors).toMatchObject([{ path: 'after' }])
  })
})
