import { expect, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { callProduct } from './client.ts'
import type { Faults } from './faults.ts'
import { leaveProduct } from './pages.ts'
import type { LoggedIn, Person } from './people.ts'

/** Removes from `faults` what a test causes on purpose: replies with that status. */
export function excuseStatus(faults: Faults, status: number): void {
  const others = faults.filter(
    (fault) =>
      !fault.includes(`status of ${status}`) && !new RegExp(`replied ${status}$`).test(fault),
  )
  faults.splice(0, faults.length, ...others)
}

/** The path and query of the newest mailed link to `path`, as its reader would follow it. */
export async function mailedLink(address: string, to: string, path: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const mails = await callProduct(address, sandboxContract.listMails, { query: { to } })
        link = mails
          .flatMap(({ text }) => text.match(/\S+\?token=\S+/g) ?? [])
          .find((url) => url.startsWith(`${address}${path}?`))
        return link
      },
      { message: `a mail to ${to} with a link to ${path}` },
    )
    .toBeDefined()
  return (link ?? '').slice(address.length)
}

/** Proves somebody's email address, by the link in the mail. */
export async function verifyByHttp(
  address: string,
  { user, accessToken }: LoggedIn,
): Promise<void> {
  await callProduct(address, authContract.sendVerificationEmail, {}, accessToken)
  const link = await mailedLink(address, user.email, '/verify-email')
  const query = { token: new URL(link, address).searchParams.get('token') ?? '' }
  await callProduct(address, authContract.verifyEmail, { query }, accessToken)
}

/** How many mails with a link to `path` somebody has got. */
export async function countMailedLinks(address: string, to: string, path: string): Promise<number> {
  const mails = await callProduct(address, sandboxContract.listMails, { query: { to } })
  return mails.filter(({ text }) => text.includes(`${address}${path}?token=`)).length
}

/** What the product stores in the browser, by name, as written there. */
export async function readStored(page: Page): Promise<Record<string, string>> {
  const entries: [string, string][] = await page.evaluate(() => Object.entries(localStorage))
  return Object.fromEntries(
    entries
      .filter(([name]) => name.startsWith('presale.'))
      .map(([name, text]) => [name.slice('presale.'.length), text]),
  )
}

type StoredToken = { token: string; expires: string }
export type StoredTokens = { access: StoredToken; refresh: StoredToken }

export async function readTokens(page: Page): Promise<StoredTokens> {
  const { tokens = 'string:null' } = await readStored(page)
  return JSON.parse(tokens.slice('string:'.length)) as StoredTokens
}

/**
 * Leaves the product and changes the stored tokens, as time might; pages read them when they load.
 */
export async function changeTokens(
  page: Page,
  change: (tokens: StoredTokens) => unknown,
): Promise<void> {
  await leaveProduct(page)
  const changed = `string:${JSON.stringify(change(await readTokens(page)))}`
  await page.evaluate((text) => localStorage.setItem('presale.tokens', text), changed)
}

export const LONG_AGO = '2020-01-01T00:00:00.000Z'

/** The paths of the calls that pages of this one make from now on, in order. */
export function listenToCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1')) calls.push(pathname.slice('/api/v1'.length))
  })
  return calls
}

/** What an authenticator app shows, `stepsAhead` half minutes from now. */
export function appCode(secret: string, stepsAhead = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })
}

/** Turns two-factor login on, and returns its secret; the code that the app shows now is unused. */
export async function turnOnTwoFactor(
  address: string,
  { accessToken }: LoggedIn,
  { password }: Person,
): Promise<string> {
  const start = { body: { password } }
  const { secret } = await callProduct(address, authContract.startTwoFactor, start, accessToken)
  const confirm = { body: { code: appCode(secret, -1) } }
  await callProduct(address, authContract.confirmTwoFactor, confirm, accessToken)
  return secret
}

/** An alert at the bottom of the page. */
export function toastOf(page: Page, message: string) {
  return page
    .getByRole('region', { name: 'Notifications' })
    .locator('[role=status], [role=alert]')
    .filter({ has: page.getByText(message, { exact: true }) })
}

/** The page stays in the history: a step back leads to the page before it. */
export async function expectBackLeadsTo(page: Page, path: string): Promise<void> {
  await page.goBack()
  await page.waitForURL((url) => url.pathname === path)
}
