import { expect, test } from 'vitest'

import { usersContract } from '#contract/users.ts'
import { authContract } from '#contract/auth.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { startApp } from '#tests/kit/servers/start-app.ts'

/** The address that the server takes a login to come from. */
async function addressSeen(trustedProxies: number, forwarded: string): Promise<string | null> {
  const kit = await startApp({ app: { trustedProxies } })
  const { body } = await kit.client.call(
    authContract.register,
    { body: aRegistration() },
    { headers: { 'x-forwarded-for': forwarded }, remoteAddress: '10.9.9.9' },
  )
  const { user, tokens } = body.data
  const sessions = await kit.client.call(
    usersContract.listSessions,
    { params: { id: user.id } },
    { accessToken: tokens.access.token },
  )
  await kit.close()
  return sessions.body[0]?.address ?? null
}

test.each([
  ['by nobody, where no proxy is ours', 0, '203.0.113.9', '10.9.9.9'],
  [
    'by one proxy of ours, and not by who came before',
    1,
    '203.0.113.9, 198.51.100.7',
    '198.51.100.7',
  ],
  [
    'by the first of two proxies of ours, and not by who came before',
    2,
    '203.0.113.9, 198.51.100.7, 192.0.2.1',
    '198.51.100.7',
  ],
])('the address of a caller is told %s', async (_, proxies, forwarded, seen) => {
  expect(await addressSeen(proxies, forwarded)).toBe(seen)
})
