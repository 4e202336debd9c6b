import { expect } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { buy, saleWith } from '#tests/e2e/kit/sale.ts'
import { card } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: saleWith([
    'name: First, type: fixed, token_price: 0.5, total_tokens: 1000000, start_date: P0D',
  ]),
})

test('a stage of one price and without an end has no chart and no countdown', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const person = somebody('Fides')
  const session = await registerPerson(product.address, person)
  await enter(page, person)
  await expect(card(page, 'First')).toContainText('$0.50/ PEAR')
  await expect(card(page, 'First')).toContainText('Tokens in this stage1M')
  await expect(card(page, 'Price')).toBeHidden()
  await expect(page.getByRole('timer')).toBeHidden()
  await takePictures(page, 'dashboard-fixed-empty')

  await buy(product.address, session, 50_000)
  await expect(card(page, 'Token Balance')).toContainText('$50,000')
  await expect(card(page, 'First')).toContainText('Sold so far10%')
  await takePictures(page, 'dashboard-fixed-values')
  await expectAccessible(page, 'dashboard of a fixed stage')
})
