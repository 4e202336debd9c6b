import { expect, type Page } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { closeAndDropFaults, holdBack } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { toastOf } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { targetOf } from '#tests/e2e/kit/layout.ts'
import { enter, openFromSidebar } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const OFFER = 'Earn $25 per referral when they spend $250 or more'
const SHARE_TEXT = 'Use my referral link to get $25'

let person: Person
let account: LoggedIn

test.beforeEach(async ({ product, page }) => {
  person = somebody('Rita')
  account = await registerPerson(product.address, person)
  await enter(page, person)
})

const card = (page: Page) => page.getByRole('region', { name: 'Refer & Earn Rewards', exact: true })
const stats = (page: Page) => page.getByRole('region', { name: 'Referred Friends', exact: true })

async function openReferrals(page: Page): Promise<void> {
  await openFromSidebar(page, 'Referrals')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Referrals')
}

test('the card shows what a referral earns, and copies the link', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openReferrals(page)
  await expect(card(page)).toContainText(OFFER)
  await card(page)
    .getByRole('button', { name: /^Copy Your referral link/ })
    .click()
  await expect(toastOf(page, 'Successfully copied text')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${product.address}/register?referral=${account.user.id}`,
  )
  await expect(stats(page)).toContainText(/Referred\s*0\s*Earned\s*\$0\.00/)
  await takePictures(page, 'referrals')
  await expectAccessible(page, 'referrals')
})

test('nothing moves when the offer, the link and the stats come', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  const stage = await holdBack(page, '**/api/v1/stages/active')
  const link = await holdBack(page, '**/api/v1/users/*/referral-link')
  const counts = await holdBack(page, '**/api/v1/users/*/referrals')
  await page.goto('/referrals')
  await expect.poll(() => [stage, link, counts].every(({ held }) => held.length > 0)).toBe(true)
  const places = () =>
    Promise.all([card(page), stats(page)].map((part) => part.evaluate(placeOnPage)))
  const waiting = await places()
  const expectStill = async () => expect(await places()).toEqual(waiting)
  await Promise.all(link.held.map((route) => route.continue()))
  await expect(card(page).getByRole('button', { name: /^Copy Your referral link/ })).toBeVisible()
  await expectStill()
  await Promise.all(stage.held.map((route) => route.continue()))
  await expect(card(page)).toContainText(OFFER)
  await expectStill()
  await Promise.all(counts.held.map((route) => route.continue()))
  await expect(stats(page)).toContainText('$0.00')
  await expectStill()
})

test('the share buttons lead to the networks, with link and text', async ({ page, product }) => {
  await openReferrals(page)
  const link = `${product.address}/register?referral=${account.user.id}`
  const shared = async (name: string) => {
    const { href, isBeside } = await targetOf(card(page).getByRole('link', { name, exact: true }))
    expect(isBeside).toBe(true)
    const { origin, pathname, searchParams } = new URL(href)
    return { at: origin + pathname, ...Object.fromEntries(searchParams) }
  }
  expect(await shared('Share')).toEqual({
    at: 'https://www.facebook.com/sharer/sharer.php',
    u: link,
    quote: SHARE_TEXT,
  })
  expect(await shared('Tweet')).toEqual({
    at: 'https://twitter.com/intent/tweet',
    url: link,
    text: SHARE_TEXT,
  })
  expect(await shared('Post')).toEqual({
    at: 'https://t.me/share/url',
    url: link,
    text: SHARE_TEXT,
  })
})

test('a device that can share has a button for it, and no other', async ({ page, product }) => {
  const button = card(page).getByRole('button', { name: 'Share with another app' })
  await page.addInitScript('delete Navigator.prototype.share')
  await page.goto('/referrals')
  await expect(card(page).getByRole('link', { name: 'Post' })).toBeVisible()
  await expect(button).toBeHidden()

  await page.addInitScript(
    'Navigator.prototype.share = async (shared) => { window.shared = shared }',
  )
  await page.reload()
  await button.click()
  await expect
    .poll(() => page.evaluate('window.shared'))
    .toEqual({
      url: `${product.address}/register?referral=${account.user.id}`,
      text: SHARE_TEXT,
    })
})

test('How it Works has three steps, and closes with Escape', async ({ page }) => {
  await openReferrals(page)
  const opener = card(page).getByRole('button', { name: 'How it Works', exact: true })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'How it Works', exact: true })
  const steps = dialog.getByRole('listitem')
  await expect(steps).toHaveCount(3)
  await expect(steps.nth(0)).toContainText('Share Link')
  await expect(steps.nth(1)).toContainText('Top Up')
  await expect(steps.nth(2)).toContainText('Earn $25')
  await takePictures(page, 'referrals-how', 'window')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('link and stats are loaded once, until a reward comes in', async ({
  page,
  context,
  product,
  faults,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/users\/.*\/referral/.test(pathname)) asked.push(pathname.replace(/.*\//, ''))
  })
  await openReferrals(page)
  await expect(stats(page)).toContainText('$0.00')
  // Long after what is refetched elsewhere has become stale.
  await page.clock.install()
  await page.clock.fastForward('15:00')
  await openFromSidebar(page, 'Account')
  await openReferrals(page)
  await expect(stats(page)).toContainText('$0.00')
  expect(asked.toSorted()).toEqual(['referral-link', 'referrals'])

  await bringFriend(product.address, account.user.id)
  await expect(stats(page), 'at the price of the moment').toContainText(/\$2[45]\.\d{2}/)
  await expect(stats(page).locator('data').first()).toHaveText('1')
  const earned = await stats(page).locator('data').last().boundingBox()
  expect(earned?.height, 'its digits are on one line').toBeLessThan(60)
  expect(asked.filter((call) => call === 'referral-link')).toHaveLength(1)
  expect(asked.filter((call) => call === 'referrals')).toHaveLength(2)
  await takePictures(page, 'referrals-earned')

  await context.setOffline(true)
  await bringFriend(product.address, account.user.id)
  await context.setOffline(false)
  await expect(stats(page).locator('data').first(), 'after a lost connection').toHaveText('2', {
    timeout: 6000,
  })
  await closeAndDropFaults(page, faults, /ERR_INTERNET_DISCONNECTED|ERR_NETWORK|ERR_FAILED/)
})

test('thousands of friends are counted as all numbers are written', async ({ page }) => {
  await page.route('**/api/v1/users/*/referrals', (route) =>
    route.fulfill({ json: { referred: 12_345, earned_tokens: 0 } }),
  )
  await openReferrals(page)
  await expect(stats(page).locator('data').first()).toHaveText('12,345')
})

/** Somebody registers by the link of `referrerId`, and spends enough. */
async function bringFriend(product: string, referrerId: string): Promise<void> {
  const { data: friend } = await callProduct(product, authContract.register, {
    body: { ...somebody('Fred'), referrals: { referred_by: referrerId } },
  })
  const { data: purchase } = await callProduct(
    product,
    transactionsContract.createTransaction,
    { headers: {}, body: { purchase_amount: 250, purchase_token_id: 'eth' } },
    friend.tokens.access.token,
  )
  const { payment_address: address, payment_amount: amount } = purchase
  await callProduct(product, sandboxContract.pay, {
    body: { address: address ?? '', amount: amount ?? '' },
  })
  await callProduct(product, sandboxContract.mineBlocks, { body: { count: 2 } })
}

test('what is on its way has its shape, and what failed can be tried again', async ({
  page,
  faults,
}) => {
  await page.route('**/api/v1/**/referral*', (route) => route.abort())
  await openReferrals(page)
  const alerts = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
  await expect(alerts).toHaveCount(2)
  await page.unroute('**/api/v1/**/referral*')
  for (const part of [card(page), stats(page)]) {
    await part.getByRole('button', { name: 'Try again' }).click()
  }
  await expect(card(page).getByRole('button', { name: /^Copy/ })).toBeVisible()
  await expect(stats(page)).toContainText('$0.00')
  faults.length = 0
})

/** The position of an element on its page, and its height, in pixels. */
function placeOnPage(element: Element): number[] {
  const { top, height } = element.getBoundingClientRect()
  return [top + window.scrollY, height].map(Math.round)
}
