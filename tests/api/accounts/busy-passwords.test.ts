import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { signInContract } from '#contract/operator/account.ts'
import { usersContract } from '#contract/users.ts'
import { Refusal } from '#domain/refusal.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anInvitation, signUp } from '#tests/kit/builders/sign-in/an-invitation.ts'
import type { Reply } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** More than a quarter of an hour allows. */
const TRIES = 12

let kit: TestApp
let user: RegisteredUser
beforeAll(async () => {
  kit = await startApp()
})
beforeEach(async () => {
  user = await aUser(kit)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => kit.close())

/** Makes a call while too many other passwords wait, as often as a page may repeat it. */
async function repeatWhileBusy(call: () => Promise<Reply<unknown>>): Promise<void> {
  const verify = vi.spyOn(kit.services.passwords, 'verify').mockRejectedValue(new Refusal('Busy'))
  for (let made = 0; made < TRIES; made += 1) {
    expect((await call()).refusal.reason).toBe('Busy')
  }
  verify.mockRestore()
}

describe('a password that is not compared, as too many others wait, is no guess', () => {
  test('at login', async () => {
    const remoteAddress = anAddress()
    const { email, password } = user
    const login = () =>
      kit.client.call(authContract.login, { body: { email, password } }, { remoteAddress })
    await repeatWhileBusy(login)
    expect((await login()).status).toBe(200)
  })

  test('in a session', async () => {
    const { as, password } = user
    const input = { params: { id: user.user.id }, body: { password } }
    const erase = () => kit.client.call(usersContract.eraseUser, input, as)
    await repeatWhileBusy(erase)
    expect((await erase()).status).toBe(204)
  })

  test('at the sign-in of an operator', async () => {
    const remoteAddress = anAddress()
    const { email, password, recoveryCodes } = await signUp(kit, await anInvitation(kit))
    const body = { email, password, code: recoveryCodes[0] ?? '' }
    const signIn = () => kit.client.call(signInContract.signIn, { body }, { remoteAddress })
    await repeatWhileBusy(signIn)
    expect((await signIn()).status).toBe(204)
  })
})
