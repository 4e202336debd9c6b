import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { snapshotsContract } from '#contract/operator/snapshots.ts'
import { usersContract } from '#contract/users.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { loggedIn } from '#tests/kit/builders/a-claim.ts'
import { buyAndPay, expectAllWell, mine, reorganise } from '#tests/kit/builders/a-purchase.ts'
import {
  changesOf,
  endingSale,
  freeze,
  giveWallet,
  passEnd,
  receiptsOf,
  snapshotsOf,
  tryToCorrect,
} from '#tests/kit/delivery/frozen-sale.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const OTHER_WALLET = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

let app: TestApp
let buyer: RegisteredUser
let other: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: endingSale })
  buyer = await aUser(app)
  other = await aUser(app)
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

const failPurchase = (id: string) =>
  app.client.call(
    operatorContract.failPurchase,
    { params: { id }, headers: named, body: { reason: 'A mistake' } },
    operator,
  )

const inbox = async () =>
  (await app.client.call(consoleContract.listInbox, { query: { kind: 'snapshot' } }, operator)).body

describe('what comes after a snapshot', () => {
  test('is reported, and goes into the next one with the differences', async () => {
    const gone = await buyAndPay(app, buyer, { usd: 40 })
    await buyAndPay(app, buyer, { usd: 60 })
    await buyAndPay(app, other)
    await passEnd(app)
    const first = await freeze(app)
    expect(await changesOf(app, 2)).toEqual([])
    expect((await tryToCorrect(app, 'For nothing')).refusal.message).toContain('Nothing differs')
    await failPurchase(gone.id)
    expect((await snapshotsOf(app)).movements).toBe(1)
    expect((await inbox()).data).toMatchObject([
      { id: '1', detail: 'Tokens of buyers have moved once since snapshot 1' },
    ])
    const preview = await changesOf(app, 2)
    expect(preview).toMatchObject([
      {
        user: { id: buyer.user.id, email: buyer.email },
        causes: [{ id: gone.id, type: 'purchase', after: '0', status: 'failed' }],
      },
    ])
    const second = (await tryToCorrect(app, 'A purchase has failed')).body
    expect(second).toMatchObject({ number: 2, leaves: 2, owners: 2 })
    expect(second.reason).toBe('A purchase has failed')
    expect(await changesOf(app, 2)).toEqual(preview)
    const report = await snapshotsOf(app)
    expect(report.snapshots).toEqual([first, second])
    expect(report.movements).toBe(0)
    expect((await inbox()).data).toEqual([])
    expect((await receiptsOf(app, buyer)).data).toHaveLength(1)
    expect((await receiptsOf(app, buyer, { snapshot: '1' })).data).toHaveLength(2)
  })

  test('is a reorganisation as well, and one that was credited again', async () => {
    await buyAndPay(app, other)
    await mine(app, 20)
    const purchase = await buyAndPay(app, buyer)
    await passEnd(app)
    await freeze(app)
    await reorganise(app, 3)
    expect((await snapshotsOf(app)).movements).toBeGreaterThan(0)
    const [change] = await changesOf(app, 2)
    expect(change).toMatchObject({ user: { id: buyer.user.id }, after: '0' })
    expect(change?.causes).toMatchObject([{ id: purchase.id, after: '0' }])
  })

  test('is a wallet, which is in the next one', async () => {
    await buyAndPay(app, buyer)
    await buyAndPay(app, other)
    await giveWallet(app, other.user.id, OTHER_WALLET)
    await passEnd(app)
    await freeze(app)
    expect((await snapshotsOf(app)).unassigned).toMatchObject({ count: 1, invitable: 1 })
    await app.passTime(1_000)
    await giveWallet(app, buyer.user.id, WALLET)
    expect((await snapshotsOf(app)).unassigned).toMatchObject({ count: 0, tokens: '0' })
    expect(await changesOf(app, 2)).toMatchObject([
      { user: { id: buyer.user.id }, wallet_before: null, wallet_after: WALLET, causes: [] },
    ])
    expect((await tryToCorrect(app, 'A wallet was set')).status).toBe(200)
    const owners = await app.open.database
      .selectFrom('snapshot_owners')
      .select(['snapshot', 'address'])
      .where('user_id', '=', buyer.user.id)
      .orderBy('snapshot')
      .execute()
    expect(owners).toEqual([
      { snapshot: 1, address: null },
      { snapshot: 2, address: WALLET },
    ])
  })

  test('shows people to who may see them alone', async () => {
    const gone = await buyAndPay(app, buyer, { usd: 40 })
    await buyAndPay(app, other)
    await passEnd(app)
    await freeze(app)
    await failPurchase(gone.id)
    const viewer = await anOperatorPerson(app, 'viewer')
    const input = { params: { number: '2' }, query: {} }
    const reply = await app.client.call(snapshotsContract.listSnapshotChanges, input, viewer.as)
    expect(reply.body.data[0]?.user.email).not.toBe(buyer.email)
    for (const number of ['0', '1', '4', 'x', '1e9']) {
      const wrong = { params: { number }, query: {} }
      const refused = await app.client.call(snapshotsContract.listSnapshotChanges, wrong, operator)
      expect(refused.refusal.reason).toBe('NotFound')
    }
  })
})

describe('who has tokens and no wallet', () => {
  const invite = () =>
    app.client.call(snapshotsContract.inviteUnassigned, { headers: named }, operator)

  test('is listed, and asked by mail once a day', async () => {
    await buyAndPay(app, buyer)
    await buyAndPay(app, other)
    const erased = await aUser(app, { language: 'de' })
    await buyAndPay(app, erased)
    const german = await aUser(app, { language: 'de' })
    await buyAndPay(app, german)
    await giveWallet(app, other.user.id, OTHER_WALLET)
    await app.client.call(
      usersContract.eraseUser,
      { params: { id: erased.user.id }, body: { password: erased.password } },
      erased.as,
    )
    expect((await snapshotsOf(app)).unassigned).toMatchObject({ count: 3, invitable: 2 })
    const before = (await snapshotsOf(app)).unassigned
    await passEnd(app)
    await freeze(app)
    expect((await snapshotsOf(app)).unassigned).toEqual(before)
    const reply = await app.app.inject({
      url: `${API_BASE}${snapshotsContract.exportUnassigned.path}?form=json`,
      headers: { authorization: `Bearer ${operator.accessToken}` },
    })
    const ids = [buyer, erased, german].map(({ user }) => user.id).toSorted()
    expect(reply.json<{ user_id: string }[]>().map(({ user_id }) => user_id)).toEqual(ids)
    expect((await invite()).body).toEqual({ invited: 2 })
    expect((await invite()).refusal.message).toContain('within the last day')
    await sendMails(app.services)
    const asked = app.mailbox.taken.filter(({ text }) => text.includes('/account'))
    const subjects = asked.map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Where should your'))).toHaveLength(1)
    expect(subjects.filter((subject) => subject.startsWith('Wohin mit Ihren'))).toHaveLength(1)
    await app.passTime(DAY_MS + 1_000)
    await giveWallet(app, german.user.id, WALLET)
    expect((await snapshotsOf(app)).unassigned).toMatchObject({ count: 2, invitable: 1 })
    expect((await invite()).body).toEqual({ invited: 1 })
    await giveWallet(app, buyer.user.id, WALLET)
    const taken = app.mailbox.taken.length
    await sendMails(app.services)
    // They have set one since.
    expect(app.mailbox.taken.slice(taken).filter(({ text }) => text.includes('/account'))).toEqual(
      [],
    )
    await loggedIn(app, buyer)
  })

  test('is nobody if everybody has one', async () => {
    await buyAndPay(app, buyer)
    await giveWallet(app, buyer.user.id, WALLET)
    expect((await invite()).refusal.message).toContain('has a wallet')
  })
})
