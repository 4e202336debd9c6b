import { afterAll, beforeAll, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { walletsContract } from '#contract/delivery/wallets.ts'
import { signInContract } from '#contract/operator/account.ts'
import { connectionsContract } from '#contract/operator/connections.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { refundsContract } from '#contract/refunds.ts'
import { connectionOf, networkOf } from '#domain/accounts/network.ts'
import { type RateRule, rateRules } from '#domain/accounts/rate-rules.ts'
import { aSoftPasskey } from '#tests/kit/builders/sign-in/a-passkey.ts'
import { anEndpoint } from '#tests/kit/connections/a-webhook.ts'
import {
  anAddress,
  aRegistration,
  aVerifiedUser,
  type RegisteredUser,
} from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { deliveringSale } from '#tests/kit/delivery/a-wallet.ts'
import type { Reply } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const ADDRESS = '0x27b1fdb04752bbc536007a920d24acb045561c26'
const BTC = { payment_token_id: 'btc', chain: 'sandbox', address: 'an-address-of-mine' }

let kit: TestApp
let ada: RegisteredUser
beforeAll(async () => {
  kit = await startApp({ changeSale: deliveringSale })
  ada = await aVerifiedUser(kit)
})
afterAll(() => kit.close())

/** As if all tries but one had been made: thousands of calls would take long. */
async function leaveOne(rule: RateRule, key: string): Promise<void> {
  await kit.services.limits.take(rule, key)
  await kit.open.database
    .updateTable('rate_limits')
    .set({ points: rateRules[rule].triesMax - 1 })
    .where('key', 'like', `${rule}:%`)
    .execute()
}

/** The last try is let through, and the next one is not. */
async function expectLast(rule: RateRule, key: string, call: () => Promise<Reply<unknown>>) {
  await leaveOne(rule, key)
  expect((await call()).status, `the last of ${rule}`).not.toBe(429)
  expect((await call()).status, `one more than ${rule}`).toBe(429)
}

type FromAddress = (from: { remoteAddress: string }) => Promise<Reply<unknown>>
const token = 'a-link-that-nobody-was-sent'
const password = 'another-passw0rd'

test.each<[RateRule, string, FromAddress]>([
  [
    'refresh_by_address',
    'refreshes',
    (from) => kit.client.call(authContract.refreshTokens, { body: { refresh_token: token } }, from),
  ],
  [
    'forgot_by_address',
    'requests for a new password',
    (from) =>
      kit.client.call(
        authContract.forgotPassword,
        { body: { email: aRegistration().email } },
        from,
      ),
  ],
  [
    'link_by_address',
    'links for a new password',
    (from) =>
      kit.client.call(authContract.resetPassword, { query: { token }, body: { password } }, from),
  ],
  [
    'link_by_address',
    'links that cancel a wallet',
    (from) => kit.client.call(walletsContract.cancelWalletChangeByLink, { body: { token } }, from),
  ],
  [
    'operator_invitation_by_address',
    'invitations of operators',
    (from) => kit.client.call(signInContract.openInvitation, { body: { token } }, from),
  ],
  [
    'operator_sign_in_by_address',
    'options for an operator’s passkey',
    (from) => kit.client.call(signInContract.getPasskeyRequest, {}, from),
  ],
])('%s counts %s', async (rule, _, call) => {
  const remoteAddress = anAddress()
  await expectLast(rule, connectionOf(remoteAddress), () => call({ remoteAddress }))
})

test.each<[RateRule, string, () => Promise<Reply<unknown>>]>([
  [
    'link_by_user',
    'links that verify an address',
    () => kit.client.call(authContract.verifyEmail, { query: { token } }, ada.as),
  ],
  [
    'wallet_message_by_user',
    'messages to sign',
    () =>
      kit.client.call(walletsContract.writeWalletMessage, { body: { signer: ADDRESS } }, ada.as),
  ],
  [
    'refund_address_by_user',
    'addresses for a refund',
    () => kit.client.call(refundsContract.checkRefundAddress, { body: BTC }, ada.as),
  ],
  [
    'refund_claim_by_user',
    'claims to a refund',
    () => {
      const body = { ...BTC, amount: '1', fee: '0', password: ada.password }
      return kit.client.call(refundsContract.claimRefund, { body }, ada.as)
    },
  ],
])('%s counts %s', async (rule, _, call) => {
  await expectLast(rule, ada.user.id, call)
})

test('register_by_network counts registrations from any address of a network', async () => {
  const network = anAddress()
  let host = 1
  await expectLast('register_by_network', networkOf(network), () => {
    host += 1
    const remoteAddress = network.replace(/\d+$/, String(host))
    return kit.client.call(authContract.register, { body: aRegistration() }, { remoteAddress })
  })
})

test('operator_unknown_by_network counts what is kept of sign-ins that name nobody', async () => {
  const network = anAddress()
  const countKept = async () => {
    const rows = await kit.open.database
      .selectFrom('operator_security_events')
      .select('address')
      .execute()
    return rows.filter(({ address }) => networkOf(address) === networkOf(network)).length
  }
  await leaveOne('operator_unknown_by_network', networkOf(network))
  for (const host of [2, 3]) {
    const remoteAddress = network.replace(/\d+$/, String(host))
    const options = await kit.client.call(signInContract.getPasskeyRequest, {}, { remoteAddress })
    const body = { passkey: aSoftPasskey().use(options.body) }
    const reply = await kit.client.call(
      signInContract.signInWithPasskey,
      { body },
      { remoteAddress },
    )
    expect(reply.refusal.reason).toBe('WrongCredentials')
  }
  expect(await countKept()).toBe(1)
})

test('operator_by_id counts the calls of a person', async () => {
  const { id, as } = await anOperatorPerson(kit, 'viewer')
  await expectLast('operator_by_id', id, () =>
    kit.client.call(operatorContract.getSaleState, {}, as),
  )
})

test('webhook_by_hand counts the tests of an endpoint', async () => {
  const { id } = await anEndpoint(kit, 'https://books.example.com/', ['sale.paused'])
  const input = { params: { id }, headers: named }
  await expectLast('webhook_by_hand', id, () =>
    kit.client.call(connectionsContract.testWebhook, input, operator),
  )
})
