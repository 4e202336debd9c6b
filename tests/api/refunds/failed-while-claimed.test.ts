import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  booksOf,
  claim,
  loggedIn,
  passTheDay,
  refundsOf,
  reject,
  send,
  tryToApprove,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import {
  aPurchase,
  expectAllWell,
  mine,
  part,
  pay,
  quickSale,
  reorganise,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  named,
  operator,
  tryToPay,
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

/** A purchase for which twice as much came while nothing was on sale: the surplus is owed back. */
async function overpay() {
  const purchase = await aPurchase(app, buyer)
  await app.client.call(operatorContract.pauseSale, { body: { reason: 'A test' } }, operator)
  await pay(app, purchase, part(purchase, 2))
  await mine(app, 2)
  return purchase
}

function fail({ id }: { id: string }) {
  const input = { params: { id }, headers: named, body: { reason: 'Our error' } }
  return app.client.call(operatorContract.failPurchase, input, operator)
}

describe('a purchase that is failed while a refund is claimed', () => {
  test('what the sale owes by then is claimed anew, since the payer bears no fee of it', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    expect(Number(claimed.fee)).toBeGreaterThan(0)
    await passTheDay(app)
    await fail(purchase)
    expect(await tryToApprove(app, claimed)).toMatchObject({ refusal: { reason: 'RefundChanged' } })
    const back = await loggedIn(app, buyer)
    expect((await refundsOf(app, back)).owed).toMatchObject([{ amount: claimed.amount, fee: '0' }])
  })

  test('what more is owed of the same payment waits until the claim is paid', async () => {
    const purchase = await overpay()
    const claimed = await anApprovedClaim(app, buyer)
    await fail(purchase)
    const back = await loggedIn(app, buyer)
    expect((await refundsOf(app, back)).owed).toMatchObject([
      { is_claimable: false, why_not: 'in_claim' },
    ])
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await followPayouts(app.services)
    expect((await refundsOf(app, back)).owed).toMatchObject([{ is_claimable: true }])
  })

  test('a payment that goes once a part was paid back is lost by that part alone', async () => {
    const purchase = await overpay()
    const [surplus] = (await listRefunds(app)).data
    await tryToPay(app, surplus?.receipt_id ?? '', 'by-my-own-hand')
    await fail(purchase)
    const claimed = await anApprovedClaim(app, buyer)
    await reorganise(app, 20)
    await reject(app, claimed)
    expect(await booksOf(app)).toMatchObject({ uncovered: `-${surplus?.amount}` })
  })
})
