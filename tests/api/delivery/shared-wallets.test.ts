import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { createDeliveryMails } from '#server/use-cases/deliveries/delivery-mails.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { aVerifiedUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { aSnapshot, deliveredSale, walletOf } from '#tests/kit/delivery/a-snapshot.ts'
import {
  aKey,
  freeze,
  setBySignature,
  signed,
  tryToPaste,
  tryToSet,
  walletOf as ownWalletOf,
} from '#tests/kit/delivery/a-wallet.ts'
import { aDistribution, publish } from '#tests/kit/delivery/distribution-calls.ts'
import { playChain, readingOf, seenAt } from '#tests/kit/delivery/played-chain.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const ONE = 10n ** 18n
const CONTRACT = walletOf(99)

let app: TestApp
let ann: RegisteredUser
let ben: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: deliveredSale() })
  ann = await aVerifiedUser(app)
  ben = await aVerifiedUser(app)
})
afterEach(() => app.close())

const seenBy = async ({ as }: RegisteredUser) =>
  (await app.client.call(deliveriesContract.listOwnDeliveries, {}, as)).body.deliveries

/** Both have pasted one wallet, and a list is published by which it claims what both are given. */
async function publishShared(address: string) {
  await tryToPaste(app, ann, address)
  await tryToPaste(app, ben, address)
  await aSnapshot(app, [
    { userId: ann.user.id, tokens: 3n * ONE, wallet: address },
    { userId: ben.user.id, tokens: ONE, wallet: address },
  ])
  const { id } = await aDistribution(app, { tool: 'uniswap' })
  await publish(app, id, { contract: CONTRACT })
  playChain(app, { read: async () => readingOf([]) })
}

test('who has pasted the wallet of somebody else learns nothing of what that one is given', async () => {
  const shared = walletOf(1)
  await publishShared(shared)
  const claim = { place: 0, owner: shared.toLowerCase(), claimed: 4n * ONE, amount: 4n * ONE }
  const seeAs = () => seenBy(ben)
  const own = { tokens: '1', wallet_amount: '1' }
  expect(await seeAs()).toMatchObject([{ ...own, wallet_arrived: '0', claim: null }])
  playChain(app, { read: async () => readingOf([seenAt(claim)]) })
  await followDistributions(app.services)
  expect(await seeAs()).toMatchObject([{ ...own, wallet_arrived: '1' }])
  expect(JSON.stringify(await seeAs())).not.toMatch(/"[34]"|[34]000000000000000000/)
})

describe('a wallet that was pasted signs after the freeze', () => {
  const key = aKey()
  const { address } = key

  test('and so its owner can claim, though another account has pasted it too', async () => {
    await publishShared(address)
    await createDeliveryMails()(app.services)
    await sendMails(app.services)
    const mail = app.mailbox.taken.findLast(({ to }) => to === ann.email)
    expect(mail?.subject).toContain('You can claim 3')
    expect(mail?.text).toContain('sign with this wallet on your account page')
    expect(await seenBy(ann)).toMatchObject([{ claim: null, is_withheld: true }])
    expect((await ownWalletOf(app, ann)).next_step).toBe('frozen')

    const proof = await signed(app, ann, key)
    const { wallet } = (await tryToSet(app, ann, { address, proof })).body
    expect(wallet).toMatchObject({ address, proof: 'signature', is_shared: true, is_listed: true })
    const claim = { account: address, amount: String(4n * ONE) }
    expect(await seenBy(ann)).toMatchObject([{ claim, is_withheld: false, wallet_amount: '4' }])
    expect(await seenBy(ben)).toMatchObject([{ claim: null, is_withheld: true, tokens: '1' }])
    const report = await inspectInvariants(app.services)
    expect(report.breaches.map(({ check }) => check)).not.toContain('frozen_wallets_stay')
  })

  test('once, and by its own key alone', async () => {
    await tryToPaste(app, ann, address)
    await freeze(app, [{ id: ann.user.id, address }])
    const proof = await signed(app, ann, aKey())
    const forged = await tryToSet(app, ann, { address, proof })
    expect(forged.refusal.reason).toBe('WalletMessageInvalid')
    await setBySignature(app, ann, key)
    const again = await tryToSet(app, ann, { address, proof: await signed(app, ann, key) })
    expect(again.refusal.errors?.[0]?.message).toBe('Your tokens already go to this wallet')
  })
})

test('a pasted wallet signs before the freeze without waiting', async () => {
  const key = aKey()
  await tryToPaste(app, ann, key.address)
  const again = await tryToPaste(app, ann, key.address)
  expect(again.refusal.errors?.[0]?.message).toBe('Your tokens already go to this wallet')
  const own = await setBySignature(app, ann, key)
  expect(own).toMatchObject({ wallet: { proof: 'signature' }, change: null, next_step: 'change' })
})
