import { foreignTransfersContract } from '#contract/operator/foreign-transfers.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import type { OperatorRefund } from '#contract/operator/shapes.ts'
import type { Transaction } from '#contract/shapes.ts'
import type { ForeignTransferState, RefundState } from '#domain/settlement/outcome.ts'
import { aPurchase, mine, part, passExpiry, pay } from './a-purchase.ts'
import type { RegisteredUser } from './a-user.ts'
import { OPERATOR_TOKEN, type TestApp } from '#tests/kit/servers/start-app.ts'

/** The options that make a call as an operator. */
export const operator = { accessToken: OPERATOR_TOKEN }

/** The operator's name in an act. */
export const named = { 'operator-name': 'Olga' }

type Buyer = Pick<RegisteredUser, 'as'>
type Body = { amount?: string; shared?: boolean }

/** The first page of the refunds: those that are owed, or all. */
export async function listRefunds(
  { client }: TestApp,
  query: { state?: RefundState | 'all'; after?: string; limit?: string } = {},
) {
  return (await client.call(operatorContract.listRefunds, { query }, operator)).body
}

/** Transfers of tokens that the sale does not take, and what is open of each. */
export async function listForeign(
  { client }: TestApp,
  query: {
    state?: ForeignTransferState
    purchase_id?: string
    after?: string
    limit?: string
  } = {},
) {
  const call = foreignTransfersContract.listForeignTransfers
  return (await client.call(call, { query }, operator)).body
}

/** How many refunds are open, paid and uncovered, as the state of the sale counts them. */
export async function refundCounts({ client }: TestApp) {
  return (await client.call(operatorContract.getSaleState, {}, operator)).body.refunds
}

/** The reply to marking a refund as paid, whatever it is. */
export function tryToPay({ client }: TestApp, id: string, hash: string, body: Body = {}) {
  const input = { params: { id }, headers: named, body: { hash, ...body } }
  return client.call(operatorContract.payRefund, input, operator)
}

export async function payRefund(
  app: TestApp,
  id: string,
  hash: string,
  body: Body = {},
): Promise<OperatorRefund> {
  return (await tryToPay(app, id, hash, body)).body
}

/** A purchase paid with less than the minimum, and over: all of it is owed back. */
export type OwedPurchase = { purchase: Transaction; receiptId: string }

/** Purchases of $100, for each of which 5 % came. Every open purchase expires because of it. */
export async function owedPurchases(
  app: TestApp,
  buyer: Buyer,
  count: number,
): Promise<OwedPurchase[]> {
  const owed: OwedPurchase[] = []
  for (let made = 0; made < count; made += 1) {
    const purchase = await aPurchase(app, buyer)
    owed.push({ purchase, receiptId: await pay(app, purchase, part(purchase, 0.05)) })
  }
  await mine(app, 2)
  await passExpiry(app)
  return owed
}

export async function anOwedPurchase(app: TestApp, buyer: Buyer): Promise<OwedPurchase> {
  const [owed] = await owedPurchases(app, buyer, 1)
  if (owed === undefined) throw new Error('Nothing is owed.')
  return owed
}
