import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { ownExportContract } from '#contract/export.ts'
import { usersContract } from '#contract/users.ts'
import type { Mail } from '#server/ports/mail.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { buyAndPay } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aRegistration, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

async function mailsTo({ email }: RegisteredUser): Promise<Mail[]> {
  await sendMails(kit.services)
  return kit.mailbox.taken.filter(({ to }) => to === email)
}

const choose = ({ user, as }: RegisteredUser, language: 'en' | 'de') =>
  kit.client.call(usersContract.updateUser, { params: { id: user.id }, body: { language } }, as)

const verify = (user: RegisteredUser) =>
  kit.client.call(authContract.sendVerificationEmail, {}, user.as)

describe('the language of mails', () => {
  test('is the one that the registration came in', async () => {
    const user = await aUser(kit, { language: 'de' })
    expect(user.user.language).toBe('de')
    await verify(user)
    const [mail] = await mailsTo(user)
    expect(mail?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für den Presale von HUH Token')
    expect(mail?.text).toContain('Der Link gilt nur einmal und verfällt in 24 Stunden (')
    expect(mail?.html).toContain('<html lang="de">')
  })

  test('is English if nothing was chosen', async () => {
    const user = await aUser(kit)
    expect(user.user.language).toBe('en')
    await verify(user)
    expect((await mailsTo(user))[0]?.subject).toContain('Verify your email')
  })

  test('follows the user from the next mail on, and stays with the account', async () => {
    const user = await aUser(kit)
    expect((await choose(user, 'de')).body.language).toBe('de')
    await buyAndPay(kit, user)
    expect((await mailsTo(user)).at(-1)?.subject).toMatch(/ HUH gehören Ihnen$/)
    const body = { email: user.email, password: user.password }
    const again = await kit.client.call(
      authContract.login,
      { body },
      { remoteAddress: anAddress() },
    )
    expect(again.body.data.user.language).toBe('de')
    const exported = await kit.client.call(
      ownExportContract.exportUser,
      { params: { id: user.user.id } },
      user.as,
    )
    expect(exported.body.profile.language).toBe('de')
  })

  test('follows what was chosen on the device from the next login on, if anything was', async () => {
    const user = await aUser(kit)
    const logIn = async (language?: 'en' | 'de') => {
      const body = { email: user.email, password: user.password, language }
      const from = { remoteAddress: anAddress() }
      return (await kit.client.call(authContract.login, { body }, from)).body.data.user.language
    }
    expect(await logIn('de')).toBe('de')
    expect((await mailsTo(user)).at(-1)?.subject).toContain('Neue Anmeldung')
    expect(await logIn()).toBe('de')
    expect(await logIn('en')).toBe('en')
  })

  test('is not changed by a login that fails', async () => {
    const user = await aUser(kit)
    const body = { email: user.email, password: 'wrong-passw0rd', language: 'de' } as const
    const refused = await kit.client.call(authContract.login, { body })
    expect(refused.status).toBe(401)
    const params = { id: user.user.id }
    expect((await kit.client.call(usersContract.getUser, { params }, user.as)).body.language).toBe(
      'en',
    )
  })

  test('is one that has mails', async () => {
    const user = await aUser(kit)
    const send = (method: 'POST' | 'PATCH', url: string, payload: object) =>
      kit.app.inject({
        method,
        url: `/api/v1${url}`,
        headers: { authorization: `Bearer ${user.as.accessToken}` },
        payload,
      })
    const changed = await send('PATCH', `/users/${user.user.id}`, { language: 'fr' })
    expect(changed.statusCode).toBe(400)
    const registration = { ...aRegistration(), language: 'fr' }
    expect((await send('POST', '/auth/register', registration)).statusCode).toBe(400)
  })

  test('of the last mail is that of the account that is gone', async () => {
    const user = await aUser(kit, { language: 'de' })
    await kit.client.call(
      usersContract.eraseUser,
      { params: { id: user.user.id }, body: undefined },
      user.as,
    )
    expect((await mailsTo(user)).at(-1)?.subject).toContain('wurde gelöscht')
    const row = await kit.open.database
      .selectFrom('users')
      .select('language')
      .where('id', '=', user.user.id)
      .executeTakeFirstOrThrow()
    expect(row.language).toBe('en')
  })
})

describe('a mail of a sale with a logo', () => {
  test('carries it, and shows what it carries', async () => {
    const user = await aUser(kit)
    await verify(user)
    const [mail] = await mailsTo(user)
    const { logo } = kit.services.sale.project.pictures
    expect(mail?.pictures).toEqual([{ cid: 'logo@presale', png: logo }])
    expect(mail?.html).toContain('src="cid:logo@presale"')
  })

  test('is a page of the sandbox’s mailbox, which runs nothing and loads nothing', async () => {
    const user = await aUser(kit, { first_name: 'Mabel' })
    await verify(user)
    await mailsTo(user)
    const query = { to: user.email }
    const { body } = await kit.client.call(sandboxContract.listMails, { query })
    const page = await kit.app.inject(`/api/v1/sandbox/mails/${body[0]?.id}/html`)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('Verify your email')
    expect(page.body).toContain(
      `src="data:image/png;base64,${kit.services.sale.project.pictures.logo}"`,
    )
    expect(page.body).not.toContain('cid:')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox allow-same-origin allow-popups')
    expect(policy).not.toMatch(/script-src|allow-scripts/)
    expect(policy).toContain("frame-ancestors 'self'")
    for (const id of ['0', '-1', 'nothing', '9'.repeat(30)]) {
      const missing = await kit.app.inject(`/api/v1/sandbox/mails/${id}/html`)
      expect(missing.statusCode, id).toBe(404)
    }
  })

  test('is no page of a sale that is none, which frames nothing either', async () => {
    const real = await startApp({ settings: { isSandbox: false } })
    const user = await aUser(real)
    await real.client.call(authContract.sendVerificationEmail, {}, user.as)
    await sendMails(real.services)
    const page = await real.app.inject('/api/v1/sandbox/mails/1/html')
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-security-policy']).not.toContain('frame-src')
    const inSandbox = await kit.app.inject('/healthz')
    expect(inSandbox.headers['content-security-policy']).toContain("frame-src 'self'")
    await real.close()
  })
})
