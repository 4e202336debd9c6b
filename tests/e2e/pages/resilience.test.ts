import { expect, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp, enterAsNewBuyer, tokenButton, tokenOptions } from '#tests/e2e/kit/buying.ts'
import { enter, openFromSidebar, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff } from '#tests/e2e/kit/sale.ts'
import { excuseStatus, toastOf } from '#tests/e2e/kit/account.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { holdData } from '#tests/e2e/kit/look/shifts.ts'
import { test } from '#tests/e2e/kit/test.ts'

const CALLS = '**/api/v1/**'

/** Pages that fetch data of their own; the others need nothing that could fail. */
const askingPages = [
  { path: '/', heading: /^DASHBOARD/ },
  { path: '/buy', heading: null },
  { path: '/account', heading: /^PROFILE/ },
  { path: '/referrals', heading: /^Referrals/ },
  { path: '/promotions', heading: /^Promotions/ },
]
const openPages = [
  { path: '/info', heading: /^The HUH Token presale/ },
  { path: '/terms', heading: /^Terms and Conditions/ },
  { path: '/privacy-policy', heading: /^Privacy Policy/ },
  { path: '/login', heading: /^Login/ },
]

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Resi')
  await registerPerson(product.address, person)
})

const retries = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Try again' })
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name })

/** Presses every retry button until none is left. */
async function tryAllAgain(page: Page): Promise<void> {
  await expect(async () => {
    for (const button of await retries(page).all()) await button.click({ timeout: 1000 })
    await expect(retries(page)).toHaveCount(0, { timeout: 1000 })
  }).toPass({ timeout: 20_000 })
}

for (const { path, heading: name } of askingPages) {
  test(`${path} shows what could not be loaded, and tries again`, async ({ page, faults }) => {
    await enter(page, person)
    await page.route(CALLS, (route) =>
      route.fulfill({ status: 500, contentType: 'text/plain', body: 'no body of ours' }),
    )
    await page.goto(path)
    if (name !== null) await expect(heading(page, name)).toBeVisible()
    await expect(retries(page).first()).toBeVisible({ timeout: 20_000 })
    await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
    await takePictures(page, `failing${path.replace('/', '-')}`)
    await page.unroute(CALLS)
    await tryAllAgain(page)
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    excuseStatus(faults, 500)
  })
}

test('a part whose code does not come leaves the page as it is, and is tried again', async ({
  page,
  faults,
}) => {
  await page.clock.install()
  await enter(page, person, '/buy?usd_amount=1234')
  const code = /assets\/(?:mobile-menu|info-tip-trigger|token-list)-/
  await page.route(code, (route) => route.abort())
  const failed = toastOf(page, 'This part of the page could not be loaded. Try again').first()
  const tip = page.getByRole('button', { name: 'About the total bonus' })
  await tip.click()
  await expect(failed).toBeVisible()
  await page.clock.runFor(5000)
  await expect(failed).toBeHidden()
  await tokenButton(page).click()
  await expect(failed).toBeVisible()
  await page.clock.runFor(5000)
  await expect(failed).toBeHidden()
  await page.setViewportSize({ width: 375, height: 812 })
  const menu = page.getByRole('button', { name: 'Open menu' })
  await menu.click()
  await expect(failed).toBeVisible()
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByLabel('I want to spend')).toHaveValue('1234')
  await page.unroute(code)
  await menu.click()
  await expect(page.getByRole('link', { name: 'Referrals', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await tokenButton(page).click()
  await expect(tokenOptions(page).first()).toBeVisible()
  allowCutOff(faults)
})

test('a list that comes late opens only for who has waited for it', async ({ page, faults }) => {
  await enter(page, person, '/buy?usd_amount=1234')
  const release = await holdData(page, /assets\/token-list-/)
  await tokenButton(page).click()
  await expect(tokenButton(page)).toHaveAttribute('aria-busy', 'true')
  await page.getByLabel('I want to spend').fill('500')
  release()
  await expect(tokenButton(page)).toHaveAttribute('aria-busy', 'false')
  await expect(tokenOptions(page)).toHaveCount(0)
  await expect(page.getByLabel('I want to spend')).toHaveValue('500')
  await tokenButton(page).click()
  await expect(tokenOptions(page).first()).toBeVisible()
  allowCutOff(faults)
})

test('a payment is made without its QR code, which is asked for again when shown next', async ({
  page,
  product,
  faults,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Quin')
  const { id, payment_address: address } = await buyByHttp(product.address, session, 100)
  await page.route(/assets\/qr-image-/, (route) => route.abort(), { times: 1 })
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('qr-image'))
  await page.goto(`/buy?id=${id}`)
  await failed
  const dialog = transactionDialog(page)
  await dialog.getByText('Address only').click()
  await expect(dialog).toContainText('For wallets that read only an address')
  await expect(dialog.getByRole('button', { name: 'Copy Wallet Address' })).toHaveAttribute(
    'data-copy-value',
    address ?? '',
  )
  const code = dialog.getByRole('img', { name: /QR code/ })
  await expect(code).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await transactionRows(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(code).toBeVisible()
  allowCutOff(faults)
})

test('pages for everybody need no answer of the server to be read', async ({ page, faults }) => {
  let unanswered = 0
  await page.clock.install()
  await page.route(CALLS, (route) => {
    if (route.request().url().endsWith(saleContract.getCurrentProject.path)) unanswered += 1
    return route.abort()
  })
  for (const { path, heading: name } of openPages) {
    await test.step(path, async () => {
      unanswered = 0
      await page.goto(path)
      await expect(heading(page, name)).toBeVisible()
      await expect(page.getByRole('contentinfo')).toContainText('© 2022 HUH Token')
      // A page gives up on what it asks for once it has asked three times, with pauses between.
      await expect
        .poll(async () => {
          await page.clock.runFor(3000)
          return unanswered
        })
        .toBe(3)
      await page.clock.runFor(10_000)
      await expect(retries(page)).toHaveCount(0)
    })
  }
  allowCutOff(faults)
})

test('without a network a page shows what is missing, and loads it once the network is back', async ({
  page,
  context,
  faults,
}) => {
  await enter(page, person)
  await expect(heading(page, /^DASHBOARD/)).toBeVisible()
  const code = page.waitForResponse(/assets\/referrals-/)
  await page.getByRole('link', { name: 'Referrals', exact: true }).hover()
  await (await code).finished()
  await context.setOffline(true)
  await openFromSidebar(page, 'Referrals')
  await expect(retries(page)).toHaveCount(2, { timeout: 20_000 })
  await context.setOffline(false)
  await expect(page.getByRole('region', { name: 'Referred Friends' })).toContainText('$0.00')
  await expect(retries(page)).toHaveCount(0)
  allowCutOff(faults)
})

test('a page whose code cannot be fetched shows an error, and loads itself later', async ({
  page,
  context,
  faults,
}) => {
  await enter(page, person)
  await expect(heading(page, /^DASHBOARD/)).toBeVisible()
  await context.setOffline(true)
  await openFromSidebar(page, 'Account')
  await expect(page.getByRole('main')).toContainText('You are offline')
  await retries(page).click()
  await expect(page.getByText('You are offline')).toHaveCount(2)
  await context.setOffline(false)
  await expect(heading(page, /^PROFILE/)).toBeVisible()
  allowCutOff(faults)
  const others = faults.filter((fault) => !fault.includes('dynamically imported module'))
  faults.splice(0, faults.length, ...others)
})

test('a broken page says so in its heading, with a number to quote and a way on', async ({
  page,
  faults,
}) => {
  await enter(page, person)
  await expect(heading(page, /^DASHBOARD/)).toBeVisible()
  await page.route(/assets\/account-/, (route) => route.abort())
  await openFromSidebar(page, 'Account')
  await expect(heading(page, /^This page stopped working$/)).toBeFocused()
  const [, number] =
    /quote the number (\d{6})\./.exec(await page.getByRole('main').innerText()) ?? []
  expect(number).toBeDefined()
  await expect
    .poll(() => faults.filter((fault) => fault.includes(`Broken page ${number}`)))
    .toHaveLength(1)
  await takePictures(page, 'broken-page')
  await expectAccessible(page, 'the broken page')
  await page.unroute(/assets\/account-/)
  await retries(page).click()
  await expect(heading(page, /^PROFILE/)).toBeVisible()
  faults.length = 0
})

test('a slow network shows the shape of what comes', async ({ page }) => {
  await enter(page, person)
  const answered = Promise.withResolvers<void>()
  await page.route(CALLS, async (route) => {
    await answered.promise
    await route.continue()
  })
  const shapes = page.getByRole('main').locator('.animate-pulse')
  for (const { path, heading: name } of askingPages.filter(({ path }) => path !== '/account')) {
    await test.step(path, async () => {
      await page.goto(path)
      if (name !== null) await expect(heading(page, name)).toBeVisible()
      await expect(shapes.first()).toBeVisible()
    })
  }
  answered.resolve()
  await expect(shapes).toHaveCount(0)
})
