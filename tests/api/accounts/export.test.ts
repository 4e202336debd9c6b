import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { ownExportContract } from '#contract/export.ts'
import { usersContract } from '#contract/users.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { aPurchase, buyAndPay, mine, part, pay } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { tablesAboutUsers } from '#tests/kit/builders/everything-stored.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const exportOf = ({ user, as }: RegisteredUser) =>
  kit.client.call(ownExportContract.exportUser, { params: { id: user.id } }, as)

describe('the export of what is stored of a user', () => {
  test('holds profile, sessions, purchases, receipts, ledger, mails, links and referrals', async () => {
    const referrer = await aUser(kit)
    const user = await aUser(kit, { referrals: { referred_by: referrer.user.id } })
    await aUser(kit, { referrals: { referred_by: user.user.id } })
    await kit.client.call(
      authContract.login,
      { body: { email: user.email, password: user.password } },
      { remoteAddress: '203.0.113.9', headers: { 'user-agent': 'Firefox/140.0 (Windows)' } },
    )
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    await turnOnTwoFactor(kit, user)
    const bought = await buyAndPay(kit, user)
    const short = await aPurchase(kit, user)
    await pay(kit, short, part(short, 0.5))
    await mine(kit, 2)
    await sendMails(kit.services)

    const { body } = await exportOf(user)
    const params = { id: user.user.id }
    const account = (await kit.client.call(usersContract.getUser, { params }, user.as)).body
    expect(body.profile).toEqual({
      ...account,
      referred_by: referrer.user.id,
      requires_password_change: false,
    })
    expect(body.two_factor).toMatchObject({ is_on: true, recovery_codes_left: 10 })
    expect(body.sessions).toHaveLength(2)
    expect(body.sessions[0]).toMatchObject({
      device: 'Firefox on Windows',
      address: '203.0.113.9',
      user_agent: 'Firefox/140.0 (Windows)',
    })
    expect(body.login_places).toHaveLength(2)
    expect(body.links.map(({ purpose }) => purpose)).toEqual(['verify_email'])
    expect(new Set(body.mails.map(({ kind }) => kind))).toEqual(
      new Set([
        'new_login',
        'verify_email',
        'two_factor_on',
        'purchase_created',
        'purchase_processing',
        'purchase_completed',
        'purchase_underpaid',
      ]),
    )
    const page = await kit.client.call(
      usersContract.listTransactions,
      { params, query: { limit: '100' } },
      user.as,
    )
    expect(body.transactions).toEqual(page.body.data)
    const receipts = body.transactions.flatMap((transaction) => transaction.receipts)
    expect(receipts).toHaveLength(2)
    const statuses = body.status_history.filter((entry) => entry.transaction_id === bought.id)
    expect(statuses.map(({ status }) => status)).toEqual(['pending', 'processing', 'completed'])
    const credit = body.ledger.find(
      (entry) => entry.destination === `user:${user.user.id}` && entry.asset === 'token',
    )
    expect(credit?.transaction_id).toBe(bought.id)
    expect(body.referrals).toEqual({ referred: 1, earned_tokens: 0 })
  })

  test('holds no hash and no secret', async () => {
    const user = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, user.as)
    const app = await turnOnTwoFactor(kit, user)
    const text = JSON.stringify((await exportOf(user)).body)
    expect(text).not.toMatch(/argon2|hash|salt|secret|token":"/i)
    for (const secret of [user.password, user.as.accessToken, ...app.recoveryCodes]) {
      expect(text).not.toContain(secret)
    }
  })

  test('contains nothing of anybody else’s', async () => {
    const [one, other] = [await aUser(kit), await aUser(kit, { first_name: 'Grace' })]
    for (const buyer of [one, other]) await buyAndPay(kit, buyer)
    const text = JSON.stringify((await exportOf(one)).body)
    for (const theirs of [other.user.id, other.email, 'Grace']) expect(text).not.toContain(theirs)
  })

  test('goes on past the first hundred transactions', async () => {
    const user = await aUser(kit)
    const bought = await aPurchase(kit, user)
    const row = await kit.open.database
      .selectFrom('purchases')
      .selectAll()
      .where('id', '=', bought.id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 204 }, (_, index) => ({
      ...row,
      id: crypto.randomUUID(),
      address: `${row.address}-${index}`,
      idempotency_key: `copy-${index}`,
      derivation_index: null,
      locked_bonuses: JSON.stringify(row.locked_bonuses),
      credited_bonuses: JSON.stringify(row.credited_bonuses),
      allocations: JSON.stringify(row.allocations),
      price_sources: JSON.stringify(row.price_sources),
      created_at: new Date(row.created_at.getTime() + Math.floor(index / 3)),
    }))
    await kit.open.database.insertInto('purchases').values(copies).execute()
    const { transactions } = (await exportOf(user)).body
    expect(new Set(transactions.map(({ id }) => id)).size).toBe(205)
    await kit.open.database
      .deleteFrom('purchases')
      .where('idempotency_key', 'like', 'copy-%')
      .execute()
  })

  test('can be asked for twenty times an hour', async () => {
    const user = await aUser(kit)
    const statuses: number[] = []
    for (let tries = 0; tries < 21; tries += 1) statuses.push((await exportOf(user)).status)
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
  })

  test('knows every table that is about a user', async () => {
    // A table that is missing here belongs into the export, or into the line that says why not.
    const exported = [
      'distribution_parts',
      'ledger_transfers',
      'login_places',
      'mailed_links',
      'operator_actions',
      'operator_marks',
      'outbox_mails',
      'purchase_status_history',
      'purchases',
      'receipts',
      'receiving_wallets',
      'recovery_codes',
      'refund_claim_parts',
      'refund_claims',
      'refund_payments',
      'refunds_due',
      'rewards',
      'sessions',
      'snapshot_leaves',
      'snapshot_owners',
      'two_factors',
      'users',
    ]
    // How a purchase is processed; the result is part of the purchase.
    // What a wallet has signed is with the wallet.
    const inner = [
      'wallet_challenges',
      'first_purchases',
      'gateway_payments',
      'grants',
      'settlements_due',
    ]
    // What strangers sent to addresses of purchases; what was taken up of it is among the receipts.
    const ofStrangers = ['foreign_transfers']
    // Of those who run the sale; what they did about a user is among the actions.
    const ofOperators = ['approvals', 'operator_invitations', 'operators']
    const tables = await tablesAboutUsers(kit.open.database)
    expect(tables).toEqual([...exported, ...inner, ...ofStrangers, ...ofOperators].toSorted())
  })
})

test('a caller without a login gets no export', async () => {
  const { user } = await aUser(kit)
  const reply = await kit.client.call(
    ownExportContract.exportUser,
    { params: { id: user.id } },
    { remoteAddress: anAddress() },
  )
  expect(reply.status).toBe(401)
})
