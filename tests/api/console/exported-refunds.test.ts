import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { exportsContract } from '#contract/operator/exports.ts'
import type { RefundClaim } from '#contract/refunds.ts'
import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  cancelBatch,
  reject,
  send,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import { expectInvariants, mine, quickSale, reorganise } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import {
  operator,
  type OwedPurchase,
  owedPurchases,
  payRefund,
} from '#tests/kit/builders/an-operator.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let owed: OwedPurchase[]
let claimed: RefundClaim
/** One claim to what is owed for two purchases. */
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  const buyer = await aUser(app)
  owed = await owedPurchases(app, buyer, 2)
  claimed = await anApprovedClaim(app, buyer)
})
afterEach(async () => {
  await expectInvariants(app)
  await app.close()
})

async function exported() {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'operator-name': 'Olga' }
  const url = `${API_BASE}/operator/exports/refunds?form=json`
  const { body } = await app.app.inject({ url, headers })
  return z.parse(z.array(exportsContract.exportRefunds.rows), JSON.parse(body))
}

/** The wallet sends what is claimed, and it becomes deep enough to count. */
async function sendClaimed() {
  await send(app, WALLET, claimed.pays)
  await mine(app, 3)
  await followPayouts(app.services)
}

const sum = (amounts: readonly (string | null)[]) =>
  formatDecimal(
    amounts.reduce((total, amount) => total + (parseDecimal(amount ?? '0', 18) ?? 0n), 0n),
    18,
  )

test('what was paid twice stays in the export, and adds to what was sent but not to what was owed', async () => {
  const batch = await aBatch(app)
  await cancelBatch(app, batch)
  await aBatch(app)
  await sendClaimed()
  const before = await exported()
  await sendClaimed()
  const [twice] = (
    await app.client.call(consoleContract.listInbox, { query: { kind: 'paid_twice' } }, operator)
  ).body.data
  const body = { kind: 'paid_twice' as const, id: twice?.id ?? '', reason: 'They keep it' }
  await app.client.call(consoleContract.closeInboxItem, { body }, operator)

  const rows = await exported()
  expect(rows.slice(0, 2)).toEqual(before)
  const again = rows.slice(2)
  expect(again.map((row) => row.purchase_id).toSorted()).toEqual(
    owed.map(({ purchase }) => purchase.id).toSorted(),
  )
  for (const row of again) {
    expect(row).toMatchObject({ state: 'paid_twice', amount: '0', fee: '0', gone_date: null })
    expect(before.map(({ paid_hash: hash }) => hash)).not.toContain(row.paid_hash)
  }
  expect(sum(again.map((row) => row.paid_amount))).toBe(claimed.pays)
  expect(sum(rows.map((row) => row.amount))).toBe(claimed.amount)
})

test('what a cancelled batch has sent for a rejected claim is there once, however it is recorded', async () => {
  await cancelBatch(app, await aBatch(app))
  await reject(app, claimed)
  await sendClaimed()
  const sent = (await exported()).filter((row) => row.paid_amount !== null)
  expect(sent.map(({ state }) => state)).toEqual(['paid_twice', 'paid_twice'])
  const hash = sent[0]?.paid_hash ?? ''
  for (const { receiptId } of owed) await payRefund(app, receiptId, hash, { shared: true })
  const rows = await exported()
  expect(rows.map(({ state, paid_hash: by }) => [state, by])).toEqual([
    ['paid', hash],
    ['paid', hash],
  ])
})

test('a payout that a reorganisation has removed says so, and stays paid', async () => {
  await aBatch(app)
  await sendClaimed()
  await mine(app, 3)
  await followPayouts(app.services)
  expect((await exported()).map((row) => row.gone_date)).toEqual([null, null])
  await reorganise(app, 7)
  await followPayouts(app.services)
  for (const row of await exported()) {
    expect(row).toMatchObject({ state: 'paid', gone_date: expect.any(String) })
  }
})
