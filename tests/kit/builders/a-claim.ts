import { sql } from 'kysely'
import { expect } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { refundsContract, type RefundClaim } from '#contract/refunds.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { formatDecimal } from '#domain/money.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import type { RegisteredUser } from './a-user.ts'
import { named, operator } from './an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export const WALLET = 'sandbox-wallet-of-the-buyer'

type Buyer = Pick<RegisteredUser, 'as' | 'email' | 'password'>

/** The buyer in a new session: their old one has ended by the time a claim can be approved. */
export async function loggedIn(app: TestApp, buyer: Buyer): Promise<Pick<RegisteredUser, 'as'>> {
  const { email, password } = buyer
  const reply = await app.client.call(authContract.login, { body: { email, password } })
  return { as: { accessToken: reply.body.data.tokens.access.token } }
}

export async function refundsOf({ client }: TestApp, buyer: Pick<Buyer, 'as'>) {
  return (await client.call(refundsContract.listOwnRefunds, {}, buyer.as)).body
}

type Wanted = {
  address?: string
  amount?: string
  fee?: string
  password?: string
  code?: string
}

/** The reply to claiming the first thing that the buyer is shown, whatever it is. */
export async function tryToClaim(app: TestApp, buyer: Buyer, change: Wanted = {}) {
  const [owed] = (await refundsOf(app, buyer)).owed
  const body = {
    payment_token_id: owed?.payment_token?.id ?? 'eth',
    chain: owed?.chain ?? 'sandbox',
    address: WALLET,
    amount: owed?.amount ?? '1',
    fee: owed?.fee ?? '0',
    password: buyer.password,
    ...change,
  }
  return await app.client.call(refundsContract.claimRefund, { body }, buyer.as)
}

export async function claim(app: TestApp, buyer: Buyer, change: Wanted = {}): Promise<RefundClaim> {
  return (await tryToClaim(app, buyer, change)).body
}

/**
 * Lets the day pass in which a claim can be cancelled, after its buyer was told of it, and
 * everything be read again after it.
 */
export async function passTheDay({ passTime, services }: TestApp): Promise<void> {
  await sendMails(services)
  await passTime(24 * 60 * 60_000)
  await refreshPrices(services)
  await watchChains(services)
}

type Seen = Pick<RefundClaim, 'id' | 'amount' | 'address'>

/** The reply to approving a claim, whatever it is. */
export function tryToApprove(
  { client }: TestApp,
  { id, amount, address }: Seen,
  change: { amount?: string; address?: string } = {},
  as: CallOptions = operator,
) {
  const input = { params: { id }, headers: named, body: { amount, address, ...change } }
  return client.call(refundClaimsContract.approveRefundClaim, input, as)
}

export function reject({ client }: TestApp, { id }: Pick<Seen, 'id'>, reason = 'Not like this') {
  const input = { params: { id }, headers: named, body: { reason } }
  return client.call(refundClaimsContract.rejectRefundClaim, input, operator)
}

/** A claim that an operator has approved. */
export async function anApprovedClaim(
  app: TestApp,
  buyer: Buyer,
  change: Wanted = {},
): Promise<RefundClaim> {
  const claimed = await claim(app, buyer, change)
  await passTheDay(app)
  return { ...claimed, state: (await tryToApprove(app, claimed)).body.state }
}

/** The reply to making a batch of everything approved, whatever it is. */
export function tryToBatch({ client }: TestApp, claimIds?: string[]) {
  const only = claimIds === undefined ? {} : { claim_ids: claimIds }
  const input = { headers: named, body: { rail: 'sandbox', chain: 'sandbox', ...only } }
  return client.call(refundBatchesContract.makeRefundBatch, input, operator)
}

export async function aBatch(app: TestApp, claimIds?: string[]) {
  return (await tryToBatch(app, claimIds)).body.batch
}

export function cancelBatch({ client }: TestApp, { id }: { id: string }) {
  const input = { params: { id }, headers: named, body: { reason: 'Another wallet sends it' } }
  return client.call(refundBatchesContract.cancelRefundBatch, input, operator)
}

/** A batch, and a claim, as operators see them. */
export async function lookAtBatch({ client }: TestApp, id: string) {
  const input = { params: { id } }
  return (await client.call(refundBatchesContract.getRefundBatch, input, operator)).body
}

export async function lookAtClaim({ client }: TestApp, { id }: Pick<Seen, 'id'>) {
  const input = { params: { id } }
  return (await client.call(refundClaimsContract.getRefundClaim, input, operator)).body
}

/** The sale's wallet sends to an address. */
export async function send({ client }: TestApp, address: string, amount: string): Promise<void> {
  expect((await client.call(sandboxContract.pay, { body: { address, amount } })).status).toBe(201)
}

const ACCOUNTS = ['refunds', 'promised', 'paid_out', 'refund_fees', 'received', 'uncovered']

/** The non-empty ETH accounts of the ledger, as decimals. */
export async function booksOf(app: TestApp): Promise<Record<string, string>> {
  const { rows } = await sql<{ account: string; sum: bigint }>`
    select account, sum(amount) as sum from (
      select destination as account, amount from ledger_transfers where asset = 'eth'
      union all
      select source, -amount from ledger_transfers where asset = 'eth'
    ) as moved group by account`.execute(app.open.database)
  const names = rows.map(({ account, sum }) => [account.split(':')[0] ?? '', sum] as const)
  const shown = names.filter(([name, sum]) => ACCOUNTS.includes(name) && sum !== 0n)
  return Object.fromEntries(shown.map(([name, sum]) => [name, formatDecimal(sum, 18)]))
}

/** The reply to requesting a batch as a file. */
export function fileOf({ client }: TestApp, id: string) {
  const input = { params: { id, format: 'csv' as const } }
  return client.call(refundBatchesContract.getRefundBatchFile, input, operator)
}

/** What was paid a second time. */
export async function doublePaymentsOf({ open }: TestApp) {
  return await open.database.selectFrom('refund_double_payments').selectAll().execute()
}
