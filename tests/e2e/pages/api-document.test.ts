import { expect, type Page } from '@playwright/test'

import { API_BASE } from '#contract/endpoint.ts'
import { findInLongPage } from '#tests/e2e/kit/accessibility.ts'
import { showTheme, takePictures, themes } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const DOCUMENT = `${API_BASE}/docs`

/** A call by its name, which is its address on the page. */
const call = (page: Page, name: string) => page.locator(`#${name}`)

test('each call has who may make it, a request, a reply, and why it is refused', async ({
  page,
  product,
}) => {
  await page.goto(`${DOCUMENT}#createTransaction`)
  const create = call(page, 'createTransaction')
  await expect(create).toBeInViewport()
  await expect(create).toContainText('POST /transactions')
  await expect(create).toContainText('Needs a login.')
  const request = create.getByRole('region', { name: 'Request' })
  await expect(request).toContainText(`'${product.address}${API_BASE}/transactions'`)
  await expect(request).toContainText('"purchase_token_id": "eth"')
  const reply = create.getByRole('region', { name: 'Reply' })
  await expect(reply).toContainText('"status": "pending"')
  await expect(create.getByRole('listitem').filter({ hasText: 'PriceStale' })).toHaveText(
    /^503 PriceStale There is no up-to-date price/,
  )
  await create.getByRole('link', { name: 'any call may return' }).click()
  await expect(page.getByRole('heading', { name: 'Errors', level: 2 })).toBeInViewport()
  await page.getByRole('link', { name: 'HUH Token presale' }).click()
  await expect(page).toHaveURL(/\/(?:login)?$/)
})

test('has no finding by any axe rule, in both themes, on a phone and a desktop', async ({
  page,
}) => {
  // It has tens of thousands of elements.
  test.setTimeout(240_000)
  await page.goto(DOCUMENT)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const theme of themes) {
      await showTheme(page, theme)
      expect(await findInLongPage(page, theme), `${theme} at ${width} px`).toEqual([])
    }
  }
  await takePictures(page, 'api-document', 'window')
})

test('a search by keyboard leaves the calls that fit, and says how many', async ({ page }) => {
  await page.goto(DOCUMENT)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Find a call' })).toBeFocused()
  await page.keyboard.type('refund operator')

  await expect(page.getByText(/^\d+ of \d+ calls$/)).toBeVisible()
  await expect(call(page, 'payRefund')).toBeVisible()
  await expect(call(page, 'register')).toBeHidden()
  const index = page.getByRole('navigation', { name: 'Calls' })
  await expect(index.getByRole('link', { name: 'Pay refund' })).toBeVisible()
  await expect(index.getByRole('link', { name: 'Register' })).toBeHidden()

  await page.keyboard.type(' nothing like it')
  await expect(page.getByText('No call matches.')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await expect(call(page, 'register')).toBeVisible()
  await expect(page.getByText('No call matches.')).toBeHidden()
})

test('a command and the address of a call can be copied', async ({ page, context, product }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await page.goto(DOCUMENT)
  const login = call(page, 'login')
  // It says so for two seconds, in which a page of this size may not even be looked at.
  await page.clock.pauseAt(Date.now() + 60_000)
  await login.getByRole('button', { name: 'Copy' }).first().click()
  await expect(login.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.clock.runFor(2_000)
  await expect(login.getByRole('button', { name: 'Copied' })).toBeHidden()
  const pasted = () => page.evaluate(() => navigator.clipboard.readText())
  expect(await pasted()).toContain(`curl -X POST \\\n  '${product.address}${API_BASE}/auth/login'`)
  await login.getByRole('link', { name: 'Link to Login' }).click()
  await expect.poll(pasted).toBe(`${product.address}${DOCUMENT}#login`)
  await expect(page).toHaveURL(/#login$/)
})

test('has the theme of the other pages, and switches it for them', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.goto(DOCUMENT)
  const dark = await ground()
  await page.getByRole('button', { name: 'Theme' }).click()
  expect(await ground()).not.toBe(dark)
  const blue = await ground()
  await page.goto('/terms')
  expect(await ground()).toBe(blue)
  await page.goto(DOCUMENT)
  expect(await ground()).toBe(blue)
})

test('on a phone the index opens, and leads to a call', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(DOCUMENT)
  await page.getByText('All calls').click()
  await page.getByRole('navigation').getByRole('link', { name: 'Get prices' }).click()
  await expect(page.getByRole('heading', { name: 'Get prices', exact: true })).toBeInViewport()
})

test.describe('with scripts off', () => {
  test.use({ javaScriptEnabled: false })

  test('is whole, without what only a script can do', async ({ page }) => {
    await page.goto(DOCUMENT)
    await expect(call(page, 'createTransaction')).toContainText('"purchase_token_id": "eth"')
    await expect(page.getByRole('searchbox')).toBeHidden()
    await expect(page.getByRole('button')).toHaveCount(0)
  })
})
