import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { sandboxContract } from '#contract/sandbox.ts'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount, formatDecimal, multiplyDivide, parseDecimal } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import type { RegisteredUser } from './a-user.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

type Buyer = Pick<RegisteredUser, 'as'>
type PurchaseOptions = {
  usd?: number
  token?: string
  key?: string
  /** The address from which the call seems to come. */
  from?: string
}

/** The reply to making a purchase, whatever it is. */
export function tryToBuy({ client }: TestApp, buyer: Buyer, options: PurchaseOptions = {}) {
  const { usd = 100, token = 'eth', key = randomUUID(), from } = options
  const input = {
    headers: { 'idempotency-key': key },
    body: { purchase_amount: usd, purchase_token_id: token },
  }
  const place = from === undefined ? {} : { remoteAddress: from }
  return client.call(transactionsContract.createTransaction, input, { ...buyer.as, ...place })
}

/** A purchase that nobody has paid for yet. */
export async function aPurchase(
  app: TestApp,
  buyer: Buyer,
  options: PurchaseOptions = {},
): Promise<Transaction> {
  return (await tryToBuy(app, buyer, options)).body.data
}

/** Pays to a purchase's address: what is due, or another amount. */
export async function pay(
  { client }: TestApp,
  purchase: Transaction,
  amount: string = purchase.payment_amount ?? '0',
): Promise<string> {
  const body = { address: purchase.payment_address ?? '', amount }
  return (await client.call(sandboxContract.pay, { body })).body.receipt_id
}

/** Pays 50 USDT to the address of a purchase that was made in another coin. */
export async function payInWrongCoin(app: TestApp, purchase: Transaction): Promise<void> {
  await sendSandboxTransfer(app.open.database, {
    transactionHash: randomUUID(),
    address: purchase.payment_address ?? '',
    paymentTokenId: 'usdt',
    amount: cryptoAmount(50_000_000n),
    sentAt: app.clock.now(),
  })
}

export async function mine({ client }: TestApp, count = 1): Promise<void> {
  await client.call(sandboxContract.mineBlocks, { body: { count } })
}

/** The last blocks are replaced: what was in them is gone. */
export async function reorganise({ client }: TestApp, depth: number): Promise<void> {
  await client.call(sandboxContract.reorganise, { body: { depth } })
}

/** The purchase as its buyer sees it now. */
export async function lookAt(
  { client }: TestApp,
  buyer: Buyer,
  { id }: Pick<Transaction, 'id'>,
): Promise<Transaction> {
  const input = { params: { id } }
  return (await client.call(transactionsContract.getTransaction, input, buyer.as)).body
}

/** Checks everything that must hold at every moment. */
export async function expectInvariants({ open }: Pick<TestApp, 'open'>): Promise<void> {
  expect(await listBrokenInvariants(open.database)).toEqual([])
}

/** What every test must leave behind: books that agree, and no complaint in the log. */
export async function expectAllWell(app: TestApp): Promise<void> {
  await expectInvariants(app)
  expect(app.complaints).toEqual([])
}

/** Has a purchase settled again, although nothing about it has changed. */
export async function settleAgain({ open, services }: TestApp, { id }: Pick<Transaction, 'id'>) {
  await open.database.insertInto('settlements_due').values({ purchase_id: id }).execute()
  await watchChains(services)
}

/**
 * Part of the amount due, as the payer would type it: `part(purchase, 0.5)` is half, rounded up.
 */
export function part(purchase: Transaction, share: number): string {
  const decimals = purchase.payment_token?.decimals ?? 0
  const due = parseDecimal(purchase.payment_amount ?? '0', decimals) ?? 0n
  const millionths = BigInt(Math.round(share * 1e6))
  return formatDecimal(multiplyDivide(due, millionths, 1_000_000n, 'up'), decimals)
}

/** Lets the time to pay pass, and every chain be read and every price be fetched after it. */
export async function passExpiry({ services, passTime }: TestApp): Promise<void> {
  await passTime(services.sale.purchases.expireAfterMs + 1_000)
  await refreshPrices(services)
  await watchChains(services)
}

/** A sale in which a purchase has a minute to be paid, so that waiting for that ends no session. */
export function quickSale(sale: Sale): Sale {
  return { ...sale, purchases: { ...sale.purchases, expireAfterMs: 60_000 } }
}

/** Completes a purchase of an amount, as a buyer does who knows what they want. */
export async function buyAndPay(
  app: TestApp,
  buyer: Buyer,
  options: PurchaseOptions = {},
): Promise<Transaction> {
  const purchase = await aPurchase(app, buyer, options)
  await pay(app, purchase)
  await mine(app, 2)
  const completed = await lookAt(app, buyer, purchase)
  expect(completed.status).toBe('completed')
  return completed
}

/** The buyer's tokens as the account shows them. */
export async function balanceOf({ client }: TestApp, buyer: RegisteredUser): Promise<number> {
  const input = { params: { id: buyer.user.id } }
  return (await client.call(usersContract.getUser, input, buyer.as)).body.tokens.total
}

/** What is listed for refund for a purchase. */
export async function refundsOf({ open }: TestApp, { id }: Transaction) {
  return await open.database
    .selectFrom('refunds_due')
    .select(['amount', 'why'])
    .where('purchase_id', '=', id)
    .execute()
}

/** The kinds of mails that a purchase has caused, oldest first. */
export async function mailsOf({ open }: TestApp, { id }: Transaction): Promise<string[]> {
  const rows = await open.database
    .selectFrom('outbox_mails')
    .select('kind')
    .where(sql<string>`params ->> 'purchase_id'`, '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

/** Pauses or resumes the sale, whatever its books say. */
export async function setPaused({ open, services, clock }: TestApp, isPaused: boolean) {
  const pause = { paused_at: clock.now(), pause_reason: 'A test' }
  const resumed = { paused_at: null, pause_reason: null }
  await open.database
    .updateTable('sale')
    .set(isPaused ? pause : resumed)
    .execute()
  services.market.invalidate()
}
