import { expect } from '@playwright/test'

import {
  ENDED_SALE_FILE,
  HOSTILE_NAME,
  HOSTILE_TAGLINE,
  mobileMenu,
  sidebar,
  targetOf,
} from '#tests/e2e/kit/layout.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowSaleAnswers } from '#tests/e2e/kit/sale.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({ saleFile: ENDED_SALE_FILE })

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Ende')
  await registerPerson(product.address, person)
})

test.afterEach(({ faults }) => allowSaleAnswers(faults))

test('Buy is disabled once the presale has ended, and Promotions is left out without any', async ({
  page,
}) => {
  await enter(page, person)
  const entries = sidebar(page).getByRole('link')
  await expect(entries).toHaveText(['Dashboard', 'Account', 'Buy', 'Referrals', 'Info'])
  const buy = sidebar(page).getByRole('link', { name: 'Buy' })
  await expect(buy).toBeDisabled()
  await expect(buy).toHaveAttribute('title', 'The presale has ended')
  await buy.click({ force: true })
  expect(new URL(page.url()).pathname).toBe('/')
  await takePictures(page, 'ended-dashboard')

  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(mobileMenu(page).getByRole('link', { name: 'Buy' })).toBeDisabled()
  await expect(mobileMenu(page).getByRole('link', { name: 'Promotions' })).toBeHidden()
})

test('where nothing can be bought any more, no promotion is reported missing', async ({ page }) => {
  await enter(page, person, '/promotions')
  await expect(page.getByText('There is no promotion right now')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
})

test('a sale without a release plan promises none', async ({ page }) => {
  await page.goto('/info')
  const main = page.getByRole('main')
  await expect(main).toContainText('Nothing can be bought any more.')
  await expect(main).not.toContainText('When tokens are released')
})

test('beside a long name, Buy Now keeps to its line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/login')
  const button = await page.getByRole('link', { name: 'Buy Now' }).boundingBox()
  expect(button?.height).toBeLessThan(44)
})

test('Buy Now leads to the address that the sale file gives it', async ({ page }) => {
  await page.goto('/login')
  expect(await targetOf(page.getByRole('link', { name: 'Buy Now' }))).toEqual({
    href: 'https://pear.example/buy',
    isBeside: true,
  })
})

test('another project’s pages speak of that project, and its words are text', async ({ page }) => {
  await page.goto('/info')
  await expect(page).toHaveTitle(`Info · ${HOSTILE_NAME} presale`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`The ${HOSTILE_NAME} presale`)
  await expect(page.getByRole('contentinfo')).toContainText(HOSTILE_TAGLINE)
  await expect(page.getByRole('banner')).toContainText(HOSTILE_NAME)
  await expect(page.getByRole('main')).not.toContainText('HUH')
  await takePictures(page, 'other-info')
  for (const path of ['/terms', '/privacy-policy']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(HOSTILE_NAME)
    await expect(page.getByRole('main')).not.toContainText('HUH')
  }
})

test('an ended sale pays no referrals, and the link is there all the same', async ({ page }) => {
  await enter(page, person)
  await sidebar(page).getByRole('link', { name: 'Referrals' }).click()
  await expect(page.getByText('No reward is on offer right now.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Copy Your referral link/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Tweet' })).toHaveAttribute(
    'href',
    /text=Use\+my\+referral\+link$/,
  )
  await page.goto('/promotions')
  await expect(page.getByText('There is no promotion right now')).toBeVisible()
})
