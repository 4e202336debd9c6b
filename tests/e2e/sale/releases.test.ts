import { expect } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter, transactionDialog } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { buy, saleWith } from '#tests/e2e/kit/sale.ts'
import { card, recentRows } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: `${saleWith([
    'name: First, type: fixed, token_price: 0.5, total_tokens: 10000, start_date: P0D',
  ])}vesting: { starts: PT10M, first_percentage: 10, months: 2 }\n`,
})

test('a buyer sees when their tokens come, counted down to the second', async ({
  page,
  product,
}) => {
  const person = somebody('Rita')
  await buy(product.address, await registerPerson(product.address, person), 250)
  const { vesting } = await callProduct(product.address, saleContract.getCurrentProject, {})
  const startsAtMs = Date.parse(vesting?.start_date ?? '')
  await page.clock.install({ time: startsAtMs - 65_000 })
  await enter(page, person)
  const plan = card(page, 'When you get your tokens')
  await expect(plan).toContainText('50 PEAR, 10%')
  await expect(plan).toContainText('500 PEAR are not released and cannot be sold yet.')
  await expect(plan.getByRole('row')).toHaveText([/^When/, /5050$/, /225275$/, /225500$/])
  const first = plan.getByRole('timer', { name: 'First release' })
  await expect(first).toHaveText(/^00days00hours0[01]minutes\d\dseconds$/)
  await expectAccessible(page, 'dashboard with releases')
  const balance = card(page, 'Token Balance')
  await expect(balance).toContainText('At the price of First. PEAR is not traded yet.')

  await page.clock.pauseAt(startsAtMs - 2000)
  await page.clock.runFor(4000)
  await expect(plan.getByRole('timer', { name: 'Next release' })).toHaveText(/^(2[789]|30)days/)
  await expect(plan).toContainText('450 PEAR are not released and cannot be sold yet.')
  await expect(balance).toContainText('At the price of First.')
  await expect(balance).not.toContainText('is not traded yet')

  // Without a countdown beside it, the dialog counts by the minute.
  await page.clock.runFor(61_000)
  await page.clock.resume()
  await recentRows(page).first().getByRole('button').first().click()
  const dialog = transactionDialog(page)
  await dialog.getByRole('button', { name: 'Release by release' }).click()
  await expect(dialog).toContainText('1 of 3 released')
  await expect(dialog.getByRole('table').getByRole('row')).toHaveText([
    /^When/,
    /\(released\)5050$/,
    /225275$/,
    /225500$/,
  ])
})
