import { expect, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'

import { API_BASE } from '#contract/endpoint.ts'
import type { Role } from '#domain/operators/permissions.ts'
import type { Product } from '#tests/e2e/kit/product.ts'

/** The parts of a test's product that its operators need. */
type Run = Pick<Product, 'address' | 'operatorToken'>

/** Invites somebody with the server's token; the path and fragment of the link. */
export async function inviteByHttp(
  { address, operatorToken }: Run,
  person: { email: string; role: Role },
): Promise<string> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'operator-name': 'A test' }
  const { body } = await post(address, '/operator/invite', person, headers)
  const { link } = body as { link: string }
  return link.slice(link.indexOf('/operator'))
}

let count = 0

/**
 * Signs the page's browser in as a new operator with that role, through an invitation accepted over
 * HTTP with an authenticator app; open a page of the console afterwards. `aheadMs`: how far the
 * product's clocks are ahead.
 */
export async function signInAsOperator(
  page: Page,
  product: Run,
  role: Role,
  name = 'Olga Tester',
  aheadMs = 0,
): Promise<{ email: string; password: string; name: string }> {
  const { address } = product
  const email = `operator-${process.pid}-${(count += 1)}@example.com`
  const link = await inviteByHttp(product, { email, role })
  const token = link.slice(link.indexOf('#') + 1)
  const started = await post(address, '/operator/accept/authenticator', { token })
  const { secret } = started.body as { secret: string }
  const password = 'correct horse 1 battery'
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() + aheadMs })
  const accepted = await post(address, '/operator/accept', { token, name, password, code })
  const [cookie = ''] = accepted.headers.getSetCookie()
  const [pair = ''] = cookie.split(';')
  await page.context().addCookies([
    {
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      domain: new URL(address).hostname,
      path: `${API_BASE}/operator`,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ])
  return { email, password, name }
}

async function post(
  address: string,
  path: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(new URL(API_BASE + path, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`POST ${path} replied ${reply.status}: ${await reply.text()}`)
  return { body: (await reply.json()) as unknown, headers: reply.headers }
}

/** Gives the page's browser an authenticator that makes passkeys and verifies its user at once. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/**
 * Follows an invitation in a browser that has an authenticator ({@link addVirtualAuthenticator}),
 * and signs in with a passkey made on the way.
 */
export async function acceptWithPasskey(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('New password', { exact: true }).fill('correct horse 1 battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByText('I have saved them').click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
}
