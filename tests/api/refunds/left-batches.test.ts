import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { consoleContract } from '#contract/operator/console.ts'
import { NotYet, Unavailable } from '#domain/unavailable.ts'
import type { NamedSight } from '#server/ports/payouts.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  cancelBatch,
  doublePaymentsOf,
  fileOf,
  loggedIn,
  lookAtClaim,
  reject,
  send,
  tryToBatch,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import { expectAllWell, mine, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase, operator, tryToPay } from '#tests/kit/builders/an-operator.ts'
import { nameHash } from '#tests/kit/payouts/a-chain-batch.ts'
import { payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await expectAllWell(app)
  await app.close()
})

const follow = () => followPayouts(app.services)

const HASH = 'sandbox-sent'

/** From now on the chain shows this of what was named, and no payment. */
function show(state: NamedSight['state']) {
  const sight = { hash: HASH, spends: ['coin'], state, replacedBy: null }
  return vi
    .spyOn(payoutsOf(app), 'find')
    .mockImplementation(async (_chain, _payouts, { followed }) => ({
      found: [],
      others: [],
      sights: followed.includes(HASH) ? [sight] : [],
      isWhole: true,
      head: 99n,
    }))
}

/** The buyer claims the same money again, at another address, and an operator approves it. */
async function claimAgain() {
  buyer = { ...buyer, ...(await loggedIn(app, buyer)) }
  return await anApprovedClaim(app, buyer, { address: 'sandbox-another-wallet' })
}

describe('a transaction of a batch that was cancelled', () => {
  test('is warned of in the next file of its claims before a node has shown it, and after', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await nameHash(app, sent, HASH)
    await cancelBatch(app, sent)
    const { id } = await aBatch(app)
    expect((await fileOf(app, id)).body.note).toContain(`${HASH} was named for an earlier batch`)
    show('waiting')
    await follow()
    expect((await fileOf(app, id)).body.note).toContain(`${HASH} of an earlier batch was seen to`)
    show('mined')
    await follow()
    expect((await fileOf(app, id)).body.note).not.toContain(HASH)
  })

  test('can be named once it is cancelled, and pays its claims', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await cancelBatch(app, sent)
    const { id } = await aBatch(app)
    expect((await fileOf(app, id)).body.note).not.toContain('earlier batch')
    await send(app, WALLET, claimed.pays)
    const { transaction_hash: hash } = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', WALLET)
      .executeTakeFirstOrThrow()
    const named = await nameHash(app, sent, hash)
    expect(named.body).toMatchObject({ state: 'cancelled', named_hash: hash })
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent', transaction_hash: hash })
  })
})

describe('a transaction of a batch that was cancelled 30 days ago', () => {
  test('cannot be named, as nobody looks for it any more, and no file warns of it', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await cancelBatch(app, sent)
    await app.passTime(30 * 24 * 60 * 60_000)
    expect((await nameHash(app, sent, HASH)).refusal).toMatchObject({
      reason: 'BatchClosed',
      message: expect.stringContaining('block explorer'),
    })
    const { id } = await aBatch(app)
    expect((await fileOf(app, id)).body.note).not.toContain(HASH)
  })
})

describe('a file is given once its chain was looked at', () => {
  test('and has nothing that was sent since the last look', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent', batch_id: id })
  })

  test('and what was sent of an earlier batch is left to those who follow payouts', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await cancelBatch(app, await aBatch(app))
    await reject(app, claimed)
    const again = await claimAgain()
    const { id } = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    expect((await fileOf(app, id)).body.text).toContain(again.address)
    expect(await doublePaymentsOf(app)).toEqual([])
    await follow()
    expect((await fileOf(app, id)).refusal).toMatchObject({
      reason: 'BatchClosed',
      message: expect.stringContaining('has paid a claim that was rejected'),
    })
  })

  test.each([
    ['the chain cannot be read', new Unavailable('No node of the sandbox answers')],
    ['the chain is still being read', new NotYet('Blocks are still being read')],
  ])('and not while %s', async (_, error) => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const find = vi.spyOn(payoutsOf(app), 'find').mockRejectedValue(error)
    expect((await fileOf(app, id)).refusal).toMatchObject({
      reason: 'RailUnavailable',
      message: error.message,
    })
    find.mockRestore()
    expect((await fileOf(app, id)).body.text).toContain(WALLET)
  })

  test('as soon as all of its blocks were read, and not before', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const answer = { found: [], others: [], sights: [], head: 99n }
    const find = vi.spyOn(payoutsOf(app), 'find')
    const now = performance.now.bind(performance)
    let passed = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    find.mockImplementation(async () => {
      passed += 5_000
      return { ...answer, isWhole: false }
    })
    expect((await fileOf(app, id)).refusal).toMatchObject({
      reason: 'RailUnavailable',
      message: expect.stringContaining('Each try reads on'),
    })
    expect(find.mock.calls.length).toBeGreaterThan(1)
    find.mockRestore()
    vi.spyOn(payoutsOf(app), 'find').mockResolvedValueOnce({ ...answer, isWhole: false })
    expect((await fileOf(app, id)).body.text, 'it reads on by itself').toContain(WALLET)
  })
})

describe('a claim of a batch that was cancelled', () => {
  test('is not rejected while a transaction that was named may still pay it', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await nameHash(app, sent, HASH)
    await cancelBatch(app, sent)
    expect((await reject(app, claimed)).refusal, 'no node has shown it').toMatchObject({
      reason: 'ClaimClosed',
      message: expect.stringMatching(`${HASH} was named.* can be rejected 30 days after`),
    })
    show('waiting')
    await follow()
    expect((await reject(app, claimed)).refusal, 'its coins are known').toMatchObject({
      reason: 'ClaimClosed',
      message: expect.stringMatching(`${HASH} of an earlier batch.* use its nonce or its coins`),
    })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'approved' })
    show('replaced')
    await follow()
    expect((await reject(app, claimed)).body).toMatchObject({ state: 'rejected' })
  })

  test('can be rejected once nobody looks for that transaction any more', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await nameHash(app, sent, HASH)
    await cancelBatch(app, sent)
    await app.passTime(30 * 24 * 60 * 60_000)
    expect((await reject(app, claimed)).body).toMatchObject({ state: 'rejected' })
  })

  test('that is rejected and claimed again has a file that warns of what may pay the first', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await cancelBatch(app, sent)
    await reject(app, claimed)
    await claimAgain()
    const { id } = await aBatch(app)
    await nameHash(app, sent, HASH)
    expect((await fileOf(app, id)).body.note).toContain(HASH)
  })

  test('that was paid after it was rejected is not paid once more, until somebody says so', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await cancelBatch(app, await aBatch(app))
    await reject(app, claimed)
    const again = await claimAgain()
    const batch = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    const [double] = await doublePaymentsOf(app)
    const hash = double?.transaction_hash ?? ''
    expect((await fileOf(app, batch.id)).refusal).toMatchObject({
      reason: 'BatchClosed',
      message: expect.stringContaining(`${hash} has paid a claim that was rejected`),
    })
    await cancelBatch(app, batch)
    expect((await tryToBatch(app)).refusal?.reason).toBe('NothingToBatch')
    const body = { kind: 'paid_twice' as const, id: String(double?.id), reason: 'It came back' }
    await app.client.call(consoleContract.closeInboxItem, { body }, operator)
    expect((await fileOf(app, (await aBatch(app)).id)).body.text).toContain(again.address)
  })

  test('that was paid after it was rejected is settled by hand', async () => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await cancelBatch(app, await aBatch(app))
    await reject(app, claimed)
    const again = await claimAgain()
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    const [double] = await doublePaymentsOf(app)
    await reject(app, again)
    expect((await tryToPay(app, receiptId, double?.transaction_hash ?? '')).status).toBe(200)
  })
})
