import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import { transactionsContract } from '#contract/transactions.ts'
import {
  aPurchase,
  buyAndPay,
  expectInvariants,
  lookAt,
  mailsOf,
  mine,
  pay,
  refundsOf,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
beforeAll(async () => {
  app = await startApp({ changeSale: (sale) => ({ ...sale, withdrawal: { days: 14 } }) })
  buyer = await aUser(app)
})
afterAll(() => app.close())

const withdraw = (id: string) =>
  app.client.call(
    transactionsContract.withdrawTransaction,
    { params: { id }, body: { password: buyer.password } },
    buyer.as,
  )

it('a purchase is withdrawn from once, however often at once', async () => {
  const purchase = await buyAndPay(app, buyer)
  const replies = await Promise.all([1, 2, 3].map(() => withdraw(purchase.id)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'withdrawn' }])
  const mails = await mailsOf(app, purchase)
  expect(mails.filter((kind) => kind === 'purchase_withdrawn')).toHaveLength(1)
  await expectInvariants(app)
})

it.each(['holdPurchase', 'failPurchase'] as const)(
  'a withdrawal at the moment of %s stays a withdrawal, and all of it is owed back once',
  async (call) => {
    const purchase = await buyAndPay(app, buyer)
    const input = { params: { id: purchase.id }, headers: named, body: { reason: 'A race' } }
    const [withdrawn, marked] = await Promise.all([
      withdraw(purchase.id),
      app.client.call(operatorContract[call], input, operator),
    ])
    expect(marked.status).toBe(200)
    // What an operator has failed before is no contract any more.
    expect([200, 409]).toContain(withdrawn.status)
    await app.client.call(operatorContract.releasePurchase, input, operator)
    const seen = await lookAt(app, buyer, purchase)
    expect(seen.status_reason).toBe(withdrawn.status === 200 ? 'withdrawn' : null)
    expect(await refundsOf(app, purchase)).toHaveLength(withdrawn.status === 200 ? 1 : 0)
    await expectInvariants(app)
  },
)

it('a payment at the moment of a withdrawal is owed back', async () => {
  const purchase = await aPurchase(app, buyer)
  await Promise.all([withdraw(purchase.id), pay(app, purchase).then(() => mine(app, 2))])
  await mine(app, 2)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status_reason: 'withdrawn' })
  expect(await refundsOf(app, purchase)).toHaveLength(1)
  await expectInvariants(app)
})
