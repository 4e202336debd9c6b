import { expect } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyForm, enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowSaleAnswers, saleWith } from '#tests/e2e/kit/sale.ts'
import { buyEntry, card } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: saleWith([
    'name: First, type: dynamic, token_price: 0.5, final_token_price: 1, total_tokens: 1000, start_date: P30D',
  ]),
})

test.afterEach(({ faults }) => allowSaleAnswers(faults))

test('before the start dashboard and buy page count down to it', async ({ page, product }) => {
  test.setTimeout(120_000)
  const person = somebody('Nora')
  await registerPerson(product.address, person)
  await enter(page, person)
  await expect(card(page, 'The presale has not started yet')).toBeVisible()
  await expect(card(page, 'Presale Starts In').getByRole('timer')).toHaveText(
    /^(29|30)days\d\dhours\d\dminutes\d\dseconds$/,
  )
  await expect(card(page, 'Token Balance')).toContainText('You own no PEAR yet')
  await expect(card(page, 'Token Balance').getByRole('link')).toBeHidden()
  await expect(card(page, 'Price')).toBeHidden()
  await takePictures(page, 'dashboard-not-started')
  await expectAccessible(page, 'dashboard before the start')

  await buyEntry(page).click()
  await expect(page.getByRole('heading', { name: 'Presale has not started' })).toBeVisible()
  await expect(card(page, 'Presale Starts In')).toBeVisible()
  await expect(buyForm(page)).toBeHidden()
  await takePictures(page, 'buy-not-started')
  await expectAccessible(page, 'buy page before the start')
})
