import { afterEach, beforeEach, expect, test } from 'vitest'

import { approvalsContract } from '#contract/operator/approvals.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { operatorWalletsContract, peopleContract } from '#contract/operator/people.ts'
import { usersContract } from '#contract/users.ts'
import { WALLET_COOL_OFF_MS } from '#domain/delivery/wallet.ts'
import { APPROVAL_TTL_MS } from '#server/use-cases/approvals/require-approval.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { loggedIn } from '#tests/kit/builders/a-claim.ts'
import { aVerifiedUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  aKey,
  deliveringSale,
  freeze,
  setBySignature,
  tryToPaste,
  walletOf,
} from '#tests/kit/delivery/a-wallet.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import {
  aColleague,
  anOperatorPerson,
  type OperatorPerson,
  waitOf,
} from '#tests/kit/builders/an-operator-person.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const reason = 'The buyer has lost the key and has shown who they are'

let app: TestApp
let buyer: RegisteredUser
let ada: OperatorPerson
let bob: OperatorPerson
beforeEach(async () => {
  app = await startApp({ changeSale: deliveringSale })
  buyer = await aVerifiedUser(app)
  ada = await aColleague(app, 'Ada', 'owner')
  bob = await aColleague(app, 'Bob', 'owner')
})
afterEach(async () => await app.close())

function tryToChange(address: string, as: CallOptions = ada.as, id = buyer.user.id) {
  const input = { params: { id }, headers: {}, body: { address, reason } }
  return app.client.call(operatorWalletsContract.changeUserWallet, input, as)
}

/** As by the command. */
function changeByToken(address: string) {
  const call = { params: { id: buyer.user.id }, headers: named, body: { address, reason } }
  return app.client.call(operatorWalletsContract.changeUserWallet, call, operator)
}

/** What the audit log has, oldest first. */
async function logged() {
  const { body } = await app.client.call(operatorContract.listActions, { query: {} }, operator)
  return body.data.toReversed()
}

/** The newest mail to the buyer. */
async function lastMail() {
  await sendMails(app.services)
  const mail = app.mailbox.taken.findLast(({ to }) => to === buyer.email)
  if (mail === undefined) throw new Error('The buyer got no mail.')
  return mail
}

const approve = ({ id, hash }: { id: string; hash: string }, as: CallOptions) =>
  app.client.call(approvalsContract.approveAct, { params: { id }, body: { hash } }, as)

const look = async (as: CallOptions = ada.as, id = buyer.user.id) =>
  await app.client.call(operatorWalletsContract.getUserWallets, { params: { id } }, as)

const waitingTokens = async () =>
  (await app.client.call(deliveriesContract.listOwnDeliveries, {}, buyer.as)).body.waiting

test('two people change a wallet after the freeze, and its owner is told before and after', async () => {
  const first = aKey().address
  const other = aKey().address
  await tryToPaste(app, buyer, first)
  await freeze(app, [{ id: buyer.user.id, address: first }])
  const waiting = waitOf(await tryToChange(other))
  expect(waiting).toMatchObject({ act: 'changeUserWallet', about: buyer.user.id })
  expect((await walletOf(app, buyer)).wallet?.address).toBe(first)
  expect((await look()).body.asked_changes).toMatchObject([
    { approval_id: waiting.id, address: other, asked_by: 'Ada' },
  ])
  const asked = await lastMail()
  expect(asked.subject).toContain('tokens to another wallet')
  expect(asked.text).toContain(other)
  expect(asked.text).toContain(first)
  expect((await approve(waiting, ada.as)).refusal.reason).toBe('OwnApproval')
  expect((await walletOf(app, buyer)).wallet).toMatchObject({ address: first, is_listed: true })
  expect(await waitingTokens()).toMatchObject({ wallet: first, is_listed: true })
  expect((await approve(waiting, bob.as)).body.state).toBe('done')
  expect(await walletOf(app, buyer)).toMatchObject({
    wallet: { address: other, proof: 'none', is_listed: false },
    next_step: 'frozen',
  })
  // No list pays the old one any more.
  expect(await waitingTokens()).toMatchObject({ wallet: other, is_frozen: true, is_listed: false })
  expect((await look()).body).toMatchObject({
    address: other,
    is_frozen: true,
    frozen_address: first,
    asked_changes: [],
  })
  const done = await lastMail()
  expect(done.subject).toContain('We changed the wallet')
  expect(done.text).toContain(other)
  const query = { act: 'changeUserWallet' }
  const acts = await app.client.call(operatorContract.listActions, { query }, operator)
  expect(acts.body.data).toMatchObject([{ details: { address: other, former: first, reason } }])
})

test('their owner’s export says what operators asked for and did, and names none of them', async () => {
  await freeze(app, [{ id: buyer.user.id, address: null }])
  await approve(waitOf(await tryToChange(aKey().address)), bob.as)
  const late = waitOf(await tryToChange(aKey().address))
  app.clock.pass(APPROVAL_TTL_MS)
  await approve(late, bob.as)
  const acts = [
    'askForApproval',
    'approveAct',
    'changeUserWallet',
    'askForApproval',
    'expireApproval',
    'approveAct',
  ]
  const params = { id: buyer.user.id }
  const { body: person } = await app.client.call(peopleContract.getPerson, { params }, ada.as)
  expect(person.actions.map(({ act }) => act)).toEqual(acts)
  const input = { params, headers: {} }
  const { body: exported } = await app.client.call(peopleContract.exportPerson, input, ada.as)
  const about = exported.operator_actions.filter(({ act }) => act !== 'exportPerson')
  expect(about.map(({ act }) => act)).toEqual(acts)
  expect(JSON.stringify(about)).not.toMatch(new RegExp(`Ada|Bob|${ada.id}|${bob.id}`))
})

test('what was approved is not done where the wallet is another one by then', async () => {
  await freeze(app, [{ id: buyer.user.id, address: null }])
  const waiting = waitOf(await tryToChange(aKey().address))
  const own = await setBySignature(app, buyer)
  expect((await approve(waiting, bob.as)).body).toMatchObject({ state: 'failed' })
  expect((await walletOf(app, buyer)).wallet).toEqual(own.wallet)
})

test('the server’s token waits for a person as well, and the log says that it asked', async () => {
  const first = aKey().address
  const other = aKey().address
  await tryToPaste(app, buyer, first)
  await freeze(app, [{ id: buyer.user.id, address: first }])
  const waiting = waitOf(await changeByToken(other))
  expect(waiting.asked_by).toEqual({ id: null, name: 'Olga' })
  expect(waitOf(await changeByToken(other)).id).toBe(waiting.id)
  expect((await look()).body.address).toBe(first)
  expect((await approve(waiting, operator)).refusal.reason).toBe('OwnApproval')
  expect((await approve(waiting, ada.as)).body.state).toBe('done')
  expect((await look()).body.address).toBe(other)
  expect(await logged()).toMatchObject([
    { act: 'askForApproval', kind: 'token', operator: 'Olga' },
    { act: 'approveAct', kind: 'token', details: { refused: 'OwnApproval' } },
    { act: 'approveAct', kind: 'person', operator: 'Ada' },
    { act: 'changeUserWallet', kind: 'token', details: { approved_by: `Ada (${ada.id})` } },
  ])
})

test('before there is any operator the token does it alone, and the log says so', async () => {
  await app.close()
  app = await startApp({ changeSale: deliveringSale })
  buyer = await aVerifiedUser(app)
  await freeze(app, [{ id: buyer.user.id, address: null }])
  const other = aKey().address
  expect((await changeByToken(other)).body).toMatchObject({ address: other })
  expect(await logged()).toMatchObject([
    { act: 'actAlone', kind: 'token', details: { call: 'changeUserWallet', why: 'token' } },
    { act: 'changeUserWallet', kind: 'token', details: { address: other, reason } },
  ])
})

test('whoever has the token may take back what was asked for with it, and nobody else', async () => {
  await freeze(app, [{ id: buyer.user.id, address: null }])
  const { id } = waitOf(await changeByToken(aKey().address))
  const withdraw = (as: CallOptions) =>
    app.client.call(approvalsContract.withdrawAct, { params: { id } }, as)
  expect((await withdraw(ada.as)).refusal.reason).toBe('OwnApproval')
  expect((await withdraw(operator)).body.state).toBe('withdrawn')
})

test('an approval is used once, and a request that waits too long expires', async () => {
  const first = aKey().address
  await tryToPaste(app, buyer, first)
  await freeze(app, [{ id: buyer.user.id, address: first }])
  const other = aKey().address
  const waiting = waitOf(await tryToChange(other))
  await approve(waiting, bob.as)
  expect((await approve(waiting, bob.as)).refusal.reason).toBe('ApprovalClosed')
  expect((await look()).body.wallets).toHaveLength(2)

  const late = waitOf(await tryToChange(aKey().address))
  app.clock.pass(APPROVAL_TTL_MS)
  expect((await approve(late, bob.as)).refusal.reason).toBe('ApprovalClosed')
  expect((await look()).body.address).toBe(other)
})

test('no other wallet is set than the one that was approved', async () => {
  await freeze(app, [{ id: buyer.user.id, address: null }])
  const [seen, thief] = [aKey().address, aKey().address]
  const waiting = waitOf(await tryToChange(seen))
  const other = waitOf(await tryToChange(thief))
  // What was seen is approved, whatever else waits.
  const mixed = await approve({ id: other.id, hash: waiting.hash }, bob.as)
  expect(mixed.refusal.reason).toBe('ApprovalChanged')
  const swap = app.open.database
    .updateTable('approvals')
    .set({ input: JSON.stringify({ ...waiting.input, address: thief }) })
    .where('id', '=', waiting.id)
  await expect(swap.execute()).rejects.toThrow('What was asked for does not change')
  await approve(waiting, bob.as)
  expect((await look()).body.address).toBe(seen)
})

test('nobody changes a buyer’s wallet before the freeze', async () => {
  await tryToPaste(app, buyer, aKey().address)
  expect((await tryToChange(aKey().address)).refusal.reason).toBe('WalletNotFrozen')
})

test('it takes the permission, an address of nobody of the sale, and a user', async () => {
  await freeze(app, [{ id: buyer.user.id, address: null }])
  const viewer = await anOperatorPerson(app, 'viewer')
  expect((await tryToChange(aKey().address, viewer.as)).refusal.reason).toBe('PermissionMissing')
  const burned = await tryToChange('0x000000000000000000000000000000000000dEaD')
  expect(burned.refusal.errors?.[0]).toMatchObject({ path: 'address' })
  const nobody = await tryToChange(aKey().address, ada.as, crypto.randomUUID())
  expect(nobody.status).toBe(404)
  expect((await look(viewer.as)).body.wallets).toEqual([])
  expect((await look(ada.as, 'nobody')).status).toBe(404)
})

test('an erased account’s tokens can still be sent elsewhere', async () => {
  const first = aKey().address
  await tryToPaste(app, buyer, first)
  await freeze(app, [{ id: buyer.user.id, address: first }])
  await sendMails(app.services)
  await app.passTime(WALLET_COOL_OFF_MS)
  const input = { params: { id: buyer.user.id }, body: { password: buyer.password } }
  const { as } = await loggedIn(app, buyer)
  expect((await app.client.call(usersContract.eraseUser, input, as)).status).toBe(204)
  ada = await aColleague(app, 'Ada again', 'owner')
  bob = await aColleague(app, 'Bob again', 'owner')
  const other = aKey().address
  await approve(waitOf(await tryToChange(other)), bob.as)
  expect((await look()).body).toMatchObject({ address: other, is_shared: false })
  await sendMails(app.services)
  expect(
    app.mailbox.taken.filter(({ to, text }) => to === buyer.email && text.includes(other)),
  ).toEqual([])
})

test('that two accounts have one wallet is seen', async () => {
  const key = aKey()
  const eve = await aVerifiedUser(app)
  await setBySignature(app, buyer, key)
  await tryToPaste(app, eve, key.address)
  expect((await look()).body.is_shared).toBe(true)
})
