import { expect } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyForm, enter } from '#tests/e2e/kit/pages.ts'
import { holdData, readShifts, watchShifts } from '#tests/e2e/kit/look/shifts.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff, allowSaleAnswers, saleWith } from '#tests/e2e/kit/sale.ts'
import { buyEntry, card } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: saleWith(
    [
      'name: First, type: dynamic, token_price: 0.5, final_token_price: 1, total_tokens: 1000, start_date: -P20D, end_date: -P10D',
    ],
    1.25,
  ),
})

test.afterEach(({ faults }) => {
  allowSaleAnswers(faults)
  allowCutOff(faults)
})

test('after the end there is the final price, and nothing to buy', async ({ page, product }) => {
  test.setTimeout(120_000)
  const person = somebody('Enno')
  await registerPerson(product.address, person)
  await enter(page, person)
  await expect(card(page, 'Final Price')).toContainText('$1.25/ PEAR')
  await expect(card(page, 'Price')).toBeHidden()
  await expect(page.getByRole('timer')).toBeHidden()
  await expect(card(page, 'Token Balance')).toContainText('No tokens of the presale are credited')
  await expect(buyEntry(page)).toHaveAttribute('aria-disabled', 'true')
  await expect(card(page, 'Recent Transactions')).toContainText('No transactions')
  await expect(card(page, 'Recent Transactions')).not.toContainText('What you buy shows up here')
  await takePictures(page, 'dashboard-ended')
  await expectAccessible(page, 'dashboard after the end')

  await page.goto('/buy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Presale has Ended')
  await expect(buyForm(page)).toBeHidden()
  await takePictures(page, 'buy-ended')
  await expectAccessible(page, 'buy page after the end')
})

test('who registers after the end is promised no purchase', async ({ page }) => {
  await page.goto('/register')
  await expect(page.getByRole('group', { name: 'Purchase Details' })).toHaveAccessibleDescription(
    'The presale has ended and nothing is bought any more: any amount will do.',
  )
})

test('an ended sale moves nothing when it arrives', async ({ page, product }) => {
  const person = somebody('Emil')
  await registerPerson(product.address, person)
  await page.setViewportSize({ width: 1280, height: 2400 })
  await enter(page, person)
  await expect(card(page, 'Final Price')).toContainText('$1.25')
  const release = await holdData(page, /\/api\/v1\/(stages\/active|prices\/final)/)
  await watchShifts(page)
  await page.reload()
  await expect(card(page, 'Token Balance')).toBeVisible()
  release()
  await expect(card(page, 'Final Price')).toContainText('$1.25')
  await expect(card(page, 'Recent Transactions')).toContainText('No transactions')
  expect(await readShifts(page)).toEqual([])
})

test('a final price that cannot be loaded is tried again', async ({ page, product }) => {
  const person = somebody('Elsa')
  await registerPerson(product.address, person)
  await page.route('**/api/v1/prices/final', (route) => route.abort('connectionrefused'))
  await enter(page, person)
  const retry = card(page, 'Final Price').getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await page.unroute('**/api/v1/prices/final')
  await retry.click()
  await expect(card(page, 'Final Price')).toContainText('$1.25')
})
