import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { contract } from '#contract/contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { peopleContract } from '#contract/operator/people.ts'
import { saleContract } from '#contract/sale.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
let flagged: RegisteredUser
beforeAll(async () => {
  kit = await startApp({ app: { heartbeatMs: 50 } })
  flagged = await aFlaggedUser()
})
afterAll(() => kit.close())

const demand = (id: string) =>
  kit.client.call(
    peopleContract.requirePasswordChange,
    { params: { id }, headers: named },
    operator,
  )

async function aFlaggedUser(): Promise<RegisteredUser> {
  const user = await aUser(kit)
  await demand(user.user.id)
  return user
}

/** Every call for users, as the contract has them: one that is new is shut by default. */
const calls = Object.values(contract).flatMap((group) =>
  Object.entries<Endpoint>(group).filter(([, { access }]) => access === 'user'),
)
const open = ['logout', 'changePassword', 'endSessions', 'endSession']
const shut = calls.filter(([name]) => !open.includes(name))

const make = (endpoint: Endpoint, { user, as }: RegisteredUser) =>
  kit.client.callWith(
    endpoint,
    {
      params: { id: user.id, session_id: user.id },
      query: endpoint.path.includes('verify-') ? { token: 'x' } : {},
      ...(endpoint.body && { body: plausibleBody(endpoint) }),
    },
    { ...as, remoteAddress: anAddress() },
  )

describe('while another password is asked for', () => {
  test.each(shut)('%s is refused, and the session is kept', async (_, endpoint) => {
    const { refusal } = await make(endpoint, flagged)
    expect(refusal).toMatchObject({ code: 403, message: 'Password change required' })
    expect((await make(endpoint, flagged)).refusal.reason).toBe('PasswordChangeRequired')
  })

  test('nothing is open but to change it, to log out and to end sessions', () => {
    const declared = calls.filter(([, { whilePasswordIsDue }]) => whilePasswordIsDue)
    expect(declared.map(([name]) => name).toSorted()).toEqual(open.toSorted())
    expect(shut.length).toBeGreaterThan(15)
  })

  test.each(calls.filter(([name]) => open.includes(name)))(
    '%s is answered',
    async (_, endpoint) => {
      const reply = await make(endpoint, await aFlaggedUser())
      // The test gives neither the password nor the id of a session.
      const answers = [null, 'WrongPassword', 'NotFound']
      expect(answers).toContain(reply.status < 400 ? null : reply.refusal.reason)
    },
  )

  test('a preview of bonuses is that of a visitor', async () => {
    const user = await aUser(kit)
    const preview = async (accessToken?: string) => {
      const body = { purchase_amount: 100, purchase_token_id: 'eth' }
      return (await kit.client.call(saleContract.calculateBonus, { body }, { accessToken })).body
    }
    const own = await preview(user.as.accessToken)
    await demand(user.user.id)
    const shown = await preview(user.as.accessToken)
    expect(shown).toEqual(await preview())
    expect(shown).not.toEqual(own)
  })

  test('live events that were open before it end', async () => {
    const user = await aUser(kit)
    const address = await kit.app.listen({ port: 0, host: '127.0.0.1' })
    const events = await readEvents(address, user.as.accessToken)
    await demand(user.user.id)
    await expect(events.ended).resolves.toBeUndefined()
    await expect(readEvents(address, user.as.accessToken)).rejects.toThrow('a 403')
  })
})
