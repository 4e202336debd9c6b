import { expect } from '@playwright/test'

import { buyForm, enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowSaleAnswers, buy, buyOut, saleWith } from '#tests/e2e/kit/sale.ts'
import {
  buyEntry,
  card,
  chart,
  countCalls,
  expectNeverLoaded,
  mark,
  openBuyTab,
} from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: saleWith([
    'name: First, type: dynamic, token_price: 0.5, final_token_price: 1, total_tokens: 1000, start_date: P0D',
    'name: Second, type: fixed, token_price: 2, total_tokens: 100, start_date: P30D, end_date: P60D',
  ]),
})

test.afterEach(({ faults }) => allowSaleAnswers(faults))

test('open pages follow what is sold: the price moves, a stage sells out, the sale ends', async ({
  page,
  context,
  product,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const person = somebody('Selma')
  await registerPerson(address, person)
  const others = await registerPerson(address, somebody('Otto'))
  const chartCalls = countCalls(page, '/price-chart')
  await enter(page, person)
  const buyPage = await openBuyTab(context)
  const stage = card(page, 'First')

  await test.step('the first stage is on, without an end', async () => {
    await expect(stage).toContainText('$0.50')
    await expect(stage).toContainText('Tokens in this stage1K')
    await expect(page.getByRole('timer')).toBeHidden()
    await expect(chart(page)).toHaveAttribute('aria-valuetext', /^\$0\.50, /)
    await expect(buyForm(buyPage)).toBeVisible()
    await Promise.all([mark(page), mark(buyPage)])
  })

  await test.step('half of it is sold: price, chart and share move at once', async () => {
    const callsBefore = chartCalls.length
    await buy(address, others, 250)
    await expect(stage).toContainText('$0.75')
    await expect(stage).toContainText('Sold so far50%')
    await expect(chart(page)).toHaveAttribute('aria-valuetext', /^\$0\.75, /)
    expect(chartCalls, 'the chart was told, and did not ask').toHaveLength(callsBefore)
    await expect(buyPage.getByText(/one PEAR costs \$0\.75/i)).toBeVisible()
  })

  await test.step('it sells out: the next opens at once, before its date', async () => {
    await buyOut(address, others)
    await expect(card(page, 'Second')).toContainText('$2')
    await expect(card(page, 'Second Ends In')).toBeVisible()
    await expect(card(page, 'Price'), 'a fixed stage has no chart').toBeHidden()
    await expect(buyPage.getByText(/Second/).first()).toBeVisible()
    await expect(buyForm(buyPage)).toBeVisible()
  })

  await test.step('the last one sells out: the sale has ended', async () => {
    await buyOut(address, others)
    await expect(card(page, 'Final Price')).toContainText('$2')
    await expect(buyPage.getByRole('heading', { name: 'Presale has Ended' })).toBeVisible()
    for (const open of [page, buyPage]) {
      await expect(buyEntry(open)).toHaveAttribute('aria-disabled', 'true')
      await expectNeverLoaded(open)
    }
  })
})
