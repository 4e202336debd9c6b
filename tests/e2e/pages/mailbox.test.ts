import { expect } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

const LOOKS_BY_ITSELF = 2

test('the mailbox looks again by itself, and its button stays still', async ({ page, product }) => {
  await registerPerson(product.address, somebody('Mabel'))
  const isMails = (url: string) => new URL(url).pathname === '/api/v1/sandbox/mails'
  await page.goto('/sandbox')
  const button = page.getByRole('button', { name: 'Look again' })
  await expect(button).toBeVisible()
  const changes = await button.evaluateHandle((element) => {
    const seen: string[] = []
    new MutationObserver((records) => {
      seen.push(...records.map((record) => record.attributeName ?? record.type))
    }).observe(element, { attributes: true, childList: true, subtree: true })
    return seen
  })
  for (let look = 0; look < LOOKS_BY_ITSELF; look += 1) {
    await page.waitForResponse((reply) => isMails(reply.url()))
  }
  // The page has drawn what the last of them changed.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(null))))
  expect(await changes.jsonValue()).toEqual([])

  const reply = page.waitForResponse((answer) => isMails(answer.url()))
  await button.click()
  await reply
  await expect.poll(() => changes.jsonValue(), 'busy while it was asked to').toContain('aria-busy')
})

test('a mail is shown as mail programs show it, whole, and as text', async ({ page, product }) => {
  const person = somebody('Myra')
  const { accessToken } = await registerPerson(product.address, person)
  await callProduct(product.address, authContract.sendVerificationEmail, {}, accessToken)
  await page.goto('/sandbox')
  const filtered = page.waitForResponse((reply) => new URL(reply.url()).search.includes('to='))
  await page.getByLabel('Only emails to').fill(person.email)
  await filtered
  const mails = page.getByRole('list', { name: 'Emails' })
  await expect(mails.getByRole('button')).toHaveCount(1)
  await mails.getByRole('button').click()

  const frame = page.locator('iframe')
  await expect(frame).toHaveAttribute('title', /^Email: Verify your email/)
  const mail = frame.contentFrame()
  await expect(mail.getByRole('heading', { name: 'Verify your email' })).toBeVisible()
  await expect(mail.getByRole('img', { name: 'HUH Token' })).toBeVisible()
  const bar = mail.getByRole('heading').locator('..')
  await expect(bar, 'its own styles').toHaveCSS('background-color', 'rgb(221, 235, 123)')
  const isWhole = () =>
    frame.evaluate((element: HTMLIFrameElement) => {
      const root = element.contentDocument?.documentElement
      return root !== undefined && root.scrollHeight <= element.clientHeight
    })
  await expect.poll(isWhole, 'all of it in sight, without a second scroll bar').toBe(true)
  await expectAccessible(page, 'the mailbox with a mail')

  const opened = page.context().waitForEvent('page')
  await mail.getByRole('link', { name: 'Verify email' }).click()
  const other = await opened
  await other.waitForURL((url) => url.pathname !== '/sandbox' && url.origin === product.address)
  await other.close()

  await mails.getByText('Plain text').click()
  await expect(frame).toHaveCount(0)
  await expect(mails.getByText('The link works once and expires in 24 hours')).toBeVisible()
  await expect(mails.getByRole('link', { name: /verify-email/ })).toBeVisible()
})
