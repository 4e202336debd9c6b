import { expect } from '@playwright/test'

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
