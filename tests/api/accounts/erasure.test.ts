import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { usersContract } from '#contract/users.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aPurchase,
  buyAndPay,
  expectInvariants,
  mine,
  pay,
} from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aRegistration, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE = 60_000
const PERSONAL = {
  first_name: 'Hildegard-Eusebia',
  last_name: 'Zumwinkelbach',
  mobile: '+49 15112345678',
}

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())
// Time passes in these tests, and prices grow old with it.
beforeEach(() => refreshPrices(kit.services))

type Proof = { password?: string; code?: string }

const erase = ({ user, as }: RegisteredUser, body?: Proof) =>
  kit.client.call(usersContract.eraseUser, { params: { id: user.id }, body }, as)

const login = (email: string, password: string, userAgent = 'test') =>
  kit.client.call(
    authContract.login,
    { body: { email, password } },
    { remoteAddress: anAddress(), headers: { 'user-agent': userAgent } },
  )

/** The same user in a session that is minutes old. */
async function later(user: RegisteredUser, minutes: number): Promise<RegisteredUser> {
  await kit.passTime(minutes * MINUTE)
  const body = { refresh_token: user.tokens.refresh.token }
  const from = { remoteAddress: anAddress() }
  const tokens = (await kit.client.call(authContract.refreshTokens, { body }, from)).body
  return { ...user, tokens, as: { accessToken: tokens.access.token } }
}

describe('erasing an account', () => {
  test('leaves no personal field in any table, and the ledger as it was', async () => {
    const user = await aUser(kit, PERSONAL)
    await login(user.email, user.password, 'Hildegards browser')
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    const app = await turnOnTwoFactor(kit, user)
    const bought = await buyAndPay(kit, user)
    await sendMails(kit.services)
    const ledger = () => kit.open.database.selectFrom('ledger_transfers').selectAll().execute()
    const before = await ledger()
    for (const text of [...Object.values(PERSONAL), user.email, 'Hildegards browser']) {
      expect(await everythingStored(kit.open.database)).toContain(text)
    }

    const code = await app.nextCode()
    expect((await erase(user, { password: user.password, code })).status).toBe(204)
    expect(await ledger()).toEqual(before)
    // The farewell has to know where to go until it is sent, and the sandbox shows it for a day.
    await sendMails(kit.services)
    await kit.passTime(25 * 60 * MINUTE)
    await deleteExpiredRecords(kit.services)
    const stored = await everythingStored(kit.open.database)
    for (const text of [...Object.values(PERSONAL), user.email, 'Hildegards browser']) {
      expect(stored).not.toContain(text)
    }
    expect(stored).toContain(bought.id)
    await expectInvariants(kit)
  })

  test('ends every session and lets nobody in again, by whatever way', async () => {
    const user = await aUser(kit)
    const from = { remoteAddress: anAddress() }
    const elsewhere = (await login(user.email, user.password)).body.data.tokens
    await kit.client.call(authContract.forgotPassword, { body: { email: user.email } }, from)
    await sendMails(kit.services)
    const token = linkTokenFor(kit.mailbox, user.email)
    expect((await erase(user)).status).toBe(204)

    const params = { id: user.user.id }
    for (const accessToken of [user.tokens.access.token, elsewhere.access.token]) {
      const reply = await kit.client.call(usersContract.getUser, { params }, { accessToken })
      expect(reply.refusal.reason).toBe('Unauthenticated')
    }
    for (const { refresh } of [user.tokens, elsewhere]) {
      const body = { refresh_token: refresh.token }
      const reply = await kit.client.call(authContract.refreshTokens, { body }, from)
      expect(reply.status).toBe(401)
    }
    expect((await login(user.email, user.password)).refusal.reason).toBe('WrongCredentials')
    const reset = await kit.client.call(
      authContract.resetPassword,
      { query: { token }, body: { password: 'another-passw0rd' } },
      from,
    )
    expect(reset.refusal.reason).toBe('LinkInvalid')
    expect((await login(`erased:${user.user.id}@erased.invalid`, '')).status).toBe(400)
    expect((await login(`erased:${user.user.id}@erased.invalid`, 'x')).status).toBe(401)
  })

  test('is confirmed by a last mail, after which nothing is mailed or kept in the mailbox', async () => {
    const user = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    await sendMails(kit.services)
    await login(user.email, user.password, 'never seen')
    await erase(user)
    await sendMails(kit.services)
    const subjects = kit.mailbox.taken.filter(({ to }) => to === user.email)
    expect(subjects.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Verify your email'),
      expect.stringContaining('was deleted'),
    ])
    expect(subjects.at(-1)?.text).toContain('If it was not you, write to us at once.')
    expect(subjects.at(-1)?.text).toContain(kit.services.sale.project.contactEmail)
    const shown = await kit.client.call(sandboxContract.listMails, { query: { to: user.email } })
    expect(shown.body.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('was deleted'),
    ])
    await kit.passTime(60 * MINUTE)
    await sendMails(kit.services)
    expect(kit.mailbox.taken.filter(({ to }) => to === user.email)).toHaveLength(2)
  })

  test('frees the address for a new account that has nothing of the old one', async () => {
    const old = await aUser(kit)
    await buyAndPay(kit, old)
    await erase(old)
    const again = await kit.client.call(
      authContract.register,
      { body: aRegistration({ email: old.email }) },
      { remoteAddress: anAddress() },
    )
    const { user, tokens } = again.body.data
    expect(user.id).not.toBe(old.user.id)
    expect(user.tokens.total).toBe(0)
    const as = { accessToken: tokens.access.token }
    const params = { id: user.id }
    const page = await kit.client.call(usersContract.listTransactions, { params, query: {} }, as)
    expect(page.body.data).toEqual([])
  })

  test('is kept from nobody by somebody who registers what is to take the place of an address', async () => {
    const user = await aUser(kit)
    for (const email of ['erased-', 'erased:'].map((start) => `${start}${user.user.id}`)) {
      const body = { ...aRegistration(), email: `${email}@erased.invalid` }
      await kit.client.call(authContract.register, { body }, { remoteAddress: anAddress() })
    }
    expect((await erase(user)).status).toBe(204)
  })

  test('leaves no address in what a mail server said of a mail, taken later or never', async () => {
    const refusing = {
      ...kit.services,
      mailSender: {
        isReal: true,
        async send({ to }: { to: string }) {
          throw new Unavailable(`The mail server did not take a mail (550 <${to}> is unknown)`)
        },
      },
    }
    const [late, never] = [await aUser(kit), await aUser(kit)]
    for (const user of [late, never]) {
      await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
      await sendMails(refusing)
      await kit.passTime(MINUTE)
      await sendMails(kit.services)
      await erase(user)
      await sendMails(refusing)
      expect(await everythingStored(kit.open.database)).toContain(`550 <${user.email}>`)
      await kit.passTime(MINUTE)
      if (user === late) await sendMails(kit.services)
    }
    for (let hours = 0; hours < 80; hours += 1) {
      await kit.passTime(60 * MINUTE)
      await sendMails(refusing)
    }
    await kit.passTime(25 * 60 * MINUTE)
    await deleteExpiredRecords(kit.services)
    const stored = await everythingStored(kit.open.database)
    for (const { email } of [late, never]) expect(stored).not.toContain(email)
  })

  test('money that arrives afterwards is recorded and credited all the same', async () => {
    const user = await aUser(kit)
    const purchase = await aPurchase(kit, user)
    await erase(user)
    await pay(kit, purchase)
    await mine(kit, 2)
    const row = await kit.open.database
      .selectFrom('purchases')
      .select('status')
      .where('id', '=', purchase.id)
      .executeTakeFirstOrThrow()
    expect(row.status).toBe('completed')
    const receipts = await kit.open.database
      .selectFrom('receipts')
      .select('id')
      .where('purchase_id', '=', purchase.id)
      .execute()
    expect(receipts).toHaveLength(1)
    await expectInvariants(kit)
    await sendMails(kit.services)
    const lastMail = kit.mailbox.taken.findLast(({ to }) => to === user.email)
    expect(lastMail?.subject).toContain('was deleted')
  })

  test('keeps the referrer’s count and earnings, and no new user comes by an erased one', async () => {
    const referrer = await aUser(kit)
    const referee = await aUser(kit, { referrals: { referred_by: referrer.user.id } })
    const spend = 100
    await buyAndPay(kit, referee, { usd: spend })
    const stats = async () =>
      (
        await kit.client.call(
          usersContract.getReferrals,
          { params: { id: referrer.user.id } },
          referrer.as,
        )
      ).body
    const before = await stats()
    expect(before.referred).toBe(1)
    await erase(referee)
    expect(await stats()).toEqual(before)
    await erase(referrer)
    const late = await aUser(kit, { referrals: { referred_by: referrer.user.id } })
    const { referrer_id } = await kit.open.database
      .selectFrom('users')
      .select('referrer_id')
      .where('id', '=', late.user.id)
      .executeTakeFirstOrThrow()
    expect(referrer_id).toBeNull()
  })
})

describe('deleting what has expired', () => {
  const DELETED_MAX = 10_000

  test('deletes so many limits at a time, until none is left', async () => {
    await sql`
      insert into rate_limits (key, points, expire)
      select 'expired:' || n, 1, 1 from generate_series(1, ${DELETED_MAX * 2 + 1}::int) as n`.execute(
      kit.open.database,
    )
    const counts: bigint[] = []
    const database = kit.open.database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        counts.push(result.numAffectedRows ?? 0n)
        return result
      },
    })
    await deleteExpiredRecords({ ...kit.services, database })
    expect(counts.filter((count) => count > DELETED_MAX)).toEqual([])
    const left = kit.open.database.selectFrom('rate_limits').select('key')
    expect(await left.where('expire', '=', 1n).execute()).toEqual([])
  })

  test('goes on where something cannot be deleted, and says so', async () => {
    const user = await aUser(kit)
    await kit.passTime(200 * 24 * 60 * MINUTE)
    kit.complaints.splice(0)
    let isFirst = true
    const database = kit.open.database.withPlugin({
      transformQuery: ({ node }) => {
        if (isFirst) {
          isFirst = false
          throw new Error('It takes too long')
        }
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await deleteExpiredRecords({ ...kit.services, database })
    const sessions = kit.open.database.selectFrom('sessions').select('id')
    expect(await sessions.where('user_id', '=', user.user.id).execute()).toEqual([])
    expect(kit.complaints.splice(0)).toMatchObject([
      { message: expect.stringContaining('could not be deleted') as string },
    ])
  })
})

describe('to erase an account', () => {
  test('the password is asked for again ten minutes after the login', async () => {
    const user = await aUser(kit)
    const old = await later(user, 11)
    const asked = await erase(old)
    expect(asked.status).toBe(400)
    expect(asked.refusal.errors).toEqual([{ path: 'password', message: 'Enter your password' }])
    expect((await erase(old, { password: 'not-the-passw0rd' })).refusal.reason).toBe(
      'WrongPassword',
    )
    expect((await erase(old, { password: user.password })).status).toBe(204)
  })

  test('a password that is given must be right, however young the session', async () => {
    const user = await aUser(kit)
    const wrong = await erase(user, { password: 'not-the-passw0rd' })
    expect(wrong.refusal.reason).toBe('WrongPassword')
    expect((await erase(user, {})).status).toBe(204)
  })

  test('a code is asked for as well where two-factor login is on', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const old = await later(user, 11)
    const { password } = user
    const asked = await erase(old, { password })
    expect(asked.refusal.errors?.map(({ path }) => path)).toEqual(['code'])
    expect((await erase(old, { password, code: '000000' })).refusal.reason).toBe('WrongCode')
    expect((await erase(old, { password, code: app.code() })).status).toBe(204)
  })

  test('of many calls at once one does it, and the rest fail in an orderly way', async () => {
    const user = await aUser(kit)
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await erase(user)).status),
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(4)
  })
})
