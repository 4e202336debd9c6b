import { expect } from '@playwright/test'

import { buyForm, enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowSaleAnswers, saleWith } from '#tests/e2e/kit/sale.ts'
import {
  buyEntry,
  card,
  chart,
  expectNeverLoaded,
  mark,
  openBuyTab,
} from '#tests/e2e/kit/sale-pages.ts'
import { testInTime as test } from '#tests/e2e/kit/test.ts'

/** From one transition of the sale to the next; all of them within the life of an access token. */
const STEP_MS = 180_000

test.use({
  saleFile: saleWith(
    [
      'name: First, type: fixed, token_price: 0.5, total_tokens: 1000, start_date: PT3M, end_date: PT6M',
      'name: Second, type: dynamic, token_price: 0.75, final_token_price: 1.25, total_tokens: 2000, start_date: PT9M, end_date: PT12M',
    ],
    1.5,
  ),
})

test.afterEach(({ faults }) => allowSaleAnswers(faults))

test('open pages follow the sale by its dates: opened, interrupted, opened again, ended', async ({
  page,
  context,
  product,
}) => {
  const person = somebody('Tilda')
  await registerPerson(product.address, person)
  await context.clock.install()
  await enter(page, person)
  const buyPage = await openBuyTab(context)
  const starts = card(page, 'Presale Starts In').getByRole('timer')
  const passStep = async () => {
    await product.passTime(STEP_MS)
    await context.clock.fastForward(STEP_MS)
  }
  const nextOpens = card(page, 'Next Stage Opens In').getByRole('timer')

  await test.step('not started', async () => {
    await expect(starts).toContainText('days')
    await expect(card(page, 'The presale has not started yet')).toBeVisible()
    await expect(buyPage.getByRole('heading', { name: 'Presale has not started' })).toBeVisible()
    await expect(card(buyPage, 'Presale Starts In')).toBeVisible()
    await Promise.all([mark(page), mark(buyPage)])
  })

  await test.step('the first stage opens', async () => {
    await passStep()
    await expect(card(page, 'First')).toContainText('$0.50')
    await expect(card(page, 'First Ends In').getByRole('timer')).toContainText('seconds')
    await expect(starts).toBeHidden()
    await expect(chart(page), 'a fixed stage has no chart').toBeHidden()
    await expect(buyForm(buyPage)).toBeVisible()
  })

  await test.step('it ends before the next one starts', async () => {
    await passStep()
    await expect(nextOpens).toBeVisible()
    await expect(card(page, 'The next stage has not started yet')).toBeVisible()
    await expect(card(page, 'First')).toBeHidden()
    await expect(card(buyPage, 'Next Stage Opens In')).toBeVisible()
    await expect(buyForm(buyPage)).toBeHidden()
  })

  await test.step('the second stage opens', async () => {
    await passStep()
    await expect(card(page, 'Second')).toContainText('$0.75')
    await expect(card(page, 'Second Ends In')).toBeVisible()
    await expect(chart(page)).toBeVisible()
    await expect(buyForm(buyPage)).toBeVisible()
  })

  await test.step('the sale ends', async () => {
    await passStep()
    await expect(card(page, 'Final Price')).toContainText('$1.50')
    await expect(card(page, 'Price')).toBeHidden()
    await expect(page.getByRole('timer')).toBeHidden()
    await expect(buyPage.getByRole('heading', { name: 'Presale has Ended' })).toBeVisible()
    await expect(buyForm(buyPage)).toBeHidden()
    for (const open of [page, buyPage]) {
      await expect(buyEntry(open)).toHaveAttribute('aria-disabled', 'true')
      await expectNeverLoaded(open)
    }
  })
})
