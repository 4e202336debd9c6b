import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const renew = ({ as, password }: RegisteredUser, code: string) =>
  kit.client.call(authContract.renewRecoveryCodes, { body: { password, code } }, as)

const login = ({ email, password }: RegisteredUser, code = '') =>
  kit.client.call(
    authContract.login,
    { body: { email, password, code } },
    { remoteAddress: anAddress() },
  )

const codesLeft = async ({ as }: RegisteredUser) =>
  (await kit.client.call(authContract.getTwoFactor, {}, as)).body.recovery_codes_left

async function subjectsTo({ email }: RegisteredUser): Promise<string[]> {
  await sendMails(kit.services)
  return kit.mailbox.taken.filter(({ to }) => to === email).map(({ subject }) => subject)
}

describe('new recovery codes', () => {
  test('are ten that work, in place of the older ones, used or not', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const [used = '', unused = ''] = app.recoveryCodes
    expect((await login(user, used)).status).toBe(200)
    expect(await codesLeft(user)).toBe(9)

    const { recovery_codes: codes } = (await renew(user, await app.nextCode())).body
    expect(new Set([...codes, ...app.recoveryCodes]).size).toBe(20)
    expect(await codesLeft(user)).toBe(10)
    expect((await login(user, used)).refusal.reason).toBe('WrongTwoFactorCode')
    expect((await login(user, unused)).refusal.reason).toBe('WrongTwoFactorCode')
    expect((await login(user, codes[9])).status).toBe(200)
    expect(await codesLeft(user)).toBe(9)
  })

  test('cause a mail, since a thief would make some too', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    await renew(user, await app.nextCode())
    expect((await subjectsTo(user)).filter((one) => one.startsWith('New recovery'))).toHaveLength(1)
  })

  test('can be asked for with the last of the older ones', async () => {
    const user = await aUser(kit)
    const { recoveryCodes } = await turnOnTwoFactor(kit, user)
    expect((await renew(user, recoveryCodes[9] ?? '')).status).toBe(200)
    expect((await renew(user, recoveryCodes[8] ?? '')).refusal.reason).toBe('WrongCode')
    expect(await codesLeft(user)).toBe(10)
  })

  test('need the password and a code that was not used; else the older ones stay', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const code = await app.nextCode()
    const stranger = { ...user, password: 'not-the-passw0rd' }
    expect((await renew(stranger, code)).refusal.reason).toBe('WrongPassword')
    expect((await renew(user, '000000')).refusal.reason).toBe('WrongCode')
    expect((await login(user, code)).status).toBe(200)
    expect((await renew(user, code)).refusal.reason).toBe('WrongCode')
    expect((await login(user, app.recoveryCodes[0])).status).toBe(200)
    expect((await subjectsTo(user)).some((one) => one.startsWith('New recovery'))).toBe(false)
  })

  test('are kept from nobody by right codes, of which a day may have any number', async () => {
    const user = await aUser(kit)
    const app = await turnOnTwoFactor(kit, user)
    const guess = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        expect((await renew(user, '000000')).refusal.reason).toBe('WrongCode')
      }
    }
    // Wrong ones are fifty a day.
    for (let round = 0; round < 5; round += 1) {
      await guess(8)
      expect((await renew(user, await app.nextCode())).status).toBe(200)
    }
    await guess(9)
    expect((await renew(user, await app.nextCode())).status).toBe(200)
  })

  test('need the app once the last of the older ones is used, as its mail says', async () => {
    const user = await aUser(kit)
    const { recoveryCodes } = await turnOnTwoFactor(kit, user)
    for (const code of recoveryCodes) expect((await login(user, code)).status).toBe(200)
    const mailWithLeft = async (count: 'none' | '1') => {
      // One step sends no more than 25, and each login is mailed about too.
      await sendMails(kit.services)
      return kit.mailbox.taken.find(
        ({ to, text }) => to === user.email && text.includes(`have ${count} left`),
      )?.text
    }
    await expect.poll(() => mailWithLeft('none')).toContain('If you have lost the app, write to us')
    await expect
      .poll(() => mailWithLeft('1'))
      .toContain('using a code from your app or one of those left')
  })

  test('do not exist for a user who logs in with only a password', async () => {
    const user = await aUser(kit)
    expect((await renew(user, '123456')).refusal).toMatchObject({
      code: 409,
      reason: 'TwoFactorNotOn',
    })
  })

  test('cannot be had by guessing in a stolen session', async () => {
    const user = await aUser(kit)
    await turnOnTwoFactor(kit, user)
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await renew(user, String(guess).padStart(6, '0'))).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400))
    expect(statuses.slice(10)).toEqual([429, 429])
  })

  test('of many calls at once with as many codes, one is answered', async () => {
    const user = await aUser(kit)
    const { recoveryCodes } = await turnOnTwoFactor(kit, user)
    const replies = await Promise.all(recoveryCodes.slice(0, 5).map((code) => renew(user, code)))
    const answered = replies.filter(({ status }) => status === 200)
    expect(answered).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(4)
    expect(await codesLeft(user)).toBe(10)
    expect((await login(user, answered[0]?.body.recovery_codes[0])).status).toBe(200)
  })
})
