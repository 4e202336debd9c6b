import { randomUUID } from 'node:crypto'
import { keccak256 } from 'viem'

import { proofContract } from '#contract/delivery/proof.ts'
import { snapshotsContract } from '#contract/operator/snapshots.ts'
import { findReceiptFault, type ProofReceipt } from '#domain/delivery/proof-receipt.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { quickSale } from '#tests/kit/builders/a-purchase.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000
export const STAGE_MS = 5 * 60_000

/** One stage that ends after five minutes, whose tokens are delivered on Ethereum. */
export function endingSale(sale: Sale): Sale {
  const [first] = sale.stages
  if (first === undefined) throw new Error('The sale has no stage.')
  const startsAt = new Date(Date.now() - DAY_MS)
  const endsAt = new Date(Date.now() + STAGE_MS)
  return {
    ...quickSale(sale),
    softCap: null,
    withdrawal: null,
    stages: [{ ...first, startsAt, endsAt }],
    delivery: { chain: 'ethereum', chainId: 1, decimals: sale.project.decimals, treasury: null },
  }
}

/** Lets the sale end, and everything be read after that. */
export async function passEnd({ passTime, services }: TestApp): Promise<void> {
  await passTime(2 * STAGE_MS)
  await refreshPrices(services)
  await watchChains(services)
}

export const tryToFreeze = (app: TestApp, as: CallOptions = operator) =>
  app.client.call(snapshotsContract.freeze, { headers: named }, as)

export const tryToCorrect = (app: TestApp, reason: string, as: CallOptions = operator) =>
  app.client.call(snapshotsContract.correctSnapshot, { headers: named, body: { reason } }, as)

export async function freeze(app: TestApp) {
  return (await tryToFreeze(app)).body
}

export async function snapshotsOf({ client }: TestApp) {
  return (await client.call(snapshotsContract.getSnapshots, {}, operator)).body
}

export async function changesOf({ client }: TestApp, number: number) {
  const input = { params: { number: String(number) }, query: {} }
  return (await client.call(snapshotsContract.listSnapshotChanges, input, operator)).body.data
}

/** A user's receipts, each checked on its own. */
export async function receiptsOf(
  { client }: TestApp,
  user: { as: CallOptions },
  query: { snapshot?: string; purchase_id?: string; after?: string; limit?: string } = {},
): Promise<{ data: ProofReceipt[]; after: string | null }> {
  const { body } = await client.call(proofContract.listProofReceipts, { query }, user.as)
  const wrong = body.data.filter(
    (receipt) => findReceiptFault(receipt, (bytes) => keccak256(bytes, 'bytes')) !== null,
  )
  if (wrong.length > 0) throw new Error(`Wrong receipts: ${wrong.length}`)
  return body
}

/** A wallet in effect, as if its owner had pasted it. */
export async function giveWallet(
  { open, clock }: TestApp,
  userId: string,
  address: string,
): Promise<void> {
  const now = clock.now()
  await open.database
    .insertInto('receiving_wallets')
    .values({
      id: randomUUID(),
      user_id: userId,
      chain_id: 1n,
      address,
      proof: 'none',
      message: null,
      signature: null,
      block_height: null,
      block_hash: null,
      set_at: now,
      effective_at: now,
      cancelled_at: null,
    })
    .execute()
}
