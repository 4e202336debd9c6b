import { expect } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { addressOf, dueOf, readAndLook } from '#tests/kit/servers/evm-app.ts'
import {
  claim,
  lookAtClaim,
  passTheDay,
  refundsOf,
  tryToApprove,
} from '#tests/kit/builders/a-claim.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'

/** Pays a purchase twice what is due, on its chain, and has it confirmed. */
export type Overpay = (address: string, due: bigint) => Promise<void>

/** A batch of one claim, which a buyer had to the half of what they paid on a real chain. */
export async function aChainBatch(
  app: TestApp,
  overpay: Overpay,
  { token, address }: Record<'token' | 'address', string>,
) {
  const { client } = app
  const buyer = await aUser(app)
  const purchase = await aPurchase(app, buyer, { token })
  // Nothing is on sale when the payment comes, so that its surplus buys nothing.
  await client.call(operatorContract.pauseSale, { body: { reason: 'A test' } }, operator)
  await overpay(addressOf(purchase), dueOf(purchase) * 2n)
  const paid = await readAndLook(app, buyer, purchase)
  expect(paid).toMatchObject({ status: 'completed', status_reason: 'overpaid' })
  await client.call(operatorContract.resumeSale, { body: {} }, operator)

  const [owed] = (await refundsOf(app, buyer)).owed
  expect(owed).toMatchObject({ is_claimable: true, is_address_checked: true })
  const claimed = await claim(app, buyer, { address })
  expect(claimed).toMatchObject({ state: 'claimed', address, amount: owed?.amount })
  await passTheDay(app)
  expect((await tryToApprove(app, claimed)).body).toMatchObject({ state: 'approved' })

  const { rail, chain } = await lookAtClaim(app, claimed)
  const input = { headers: named, body: { rail, chain } }
  const made = await client.call(refundBatchesContract.makeRefundBatch, input, operator)
  const { batch } = made.body
  expect(batch).toMatchObject({ state: 'open', claims: 1, sums: [{ pays: claimed.pays }] })
  return { buyer, purchase, claimed, batch }
}

/** The reply to naming the transaction that pays a batch. */
export function nameHash({ client }: TestApp, { id }: { id: string }, hash: string) {
  const input = { params: { id }, headers: named, body: { hash } }
  return client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
}
