import { expect, type Page } from '@playwright/test'

import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { startLiveEvents } from '#tests/e2e/kit/live-events.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff, buy, saleWith } from '#tests/e2e/kit/sale.ts'
import { card } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: saleWith([
    'name: Stage 1, type: fixed, token_price: 0.1, total_tokens: 1000000, start_date: P0D, bonuses: { base_percentage: 20 }',
  ]),
})

/** Somebody who bought for $250 and got a fifth more. */
async function enterAsOwner(page: Page, address: string): Promise<void> {
  const person = somebody('Olga')
  const session = await registerPerson(address, person)
  await buy(address, session, 250)
  await page.route(/\/api\/v1\/users\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), paid_amount_fiat: 250 } })
  })
  await enter(page, person)
}

test('the balance says by which price it is counted, what was paid, and what is bonus', async ({
  page,
  product,
}) => {
  await enterAsOwner(page, product.address)
  const balance = card(page, 'Token Balance')
  await expect(balance.locator('data').first()).toHaveText('$300')
  await expect(balance).toContainText('At the price of Stage 1. PEAR is not traded yet.')
  await expect(balance).toContainText('You paid$250.00')
  await expect(balance).toContainText('Before bonus2,500')
  await expect(balance).toContainText('Bonus on top500')
  await expectAccessible(page, 'dashboard with its worth')
})

test('what was bought and the bonus add up to the balance', async ({ page, product }) => {
  await enterAsOwner(page, product.address)
  await page.route(/\/api\/v1\/users\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    const tokens = { base: 2500.129, bonuses: 500.129, total: 3000.258 }
    await route.fulfill({ response, json: { ...(await response.json()), tokens } })
  })
  await page.reload()
  const balance = card(page, 'Token Balance')
  await expect(balance.getByTitle('3,000.258 PEAR')).toHaveText(/^3,000\.25\s*PEAR$/)
  await expect(balance).toContainText('Before bonus2,500.12')
  await expect(balance).toContainText('Bonus on top500.13')
})

test('a price that cannot be had is not waited for, and is tried again', async ({
  page,
  product,
  faults,
}) => {
  // A purchase moves the sale on, and the event that reports it has the price too.
  await startLiveEvents(page)
  await page.route('**/api/v1/stages/active', (route) => route.abort('connectionrefused'))
  await enterAsOwner(page, product.address)
  const balance = card(page, 'Token Balance')
  await expect(balance.locator('data').first()).toHaveText('–')
  await expect(balance).toContainText('The price is not available.')
  await expect(balance.getByTitle('3,000 PEAR')).toBeVisible()
  await page.unroute('**/api/v1/stages/active')
  await balance.getByRole('button', { name: 'Try again' }).click()
  await expect(balance.locator('data').first()).toHaveText('$300')
  allowCutOff(faults)
})

test('the stage has the price of the one that follows, and all are in a card', async ({
  page,
  product,
}) => {
  await planStages(page, [plannedStage(1, 'active'), plannedStage(2, 'upcoming')])
  await enterAsOwner(page, product.address)
  await expect(card(page, 'Stage 1')).toContainText('Then, in Stage 2$0.20')
  await expect(card(page, 'All stages')).toBeVisible()
})

type Status = ListedStage['status']

/** A stage of a sale for the list of all stages, named and priced by its number. */
function plannedStage(number: number, status: Status): ListedStage {
  return {
    id: `stage-${number}`,
    name: `Stage ${number}`,
    type: 'fixed',
    token_price: number / 10,
    final_token_price: number / 10,
    current_token_price: number / 10,
    total_tokens: 1000,
    sold_tokens: status === 'ended' ? 1000 : 0,
    is_sold_out: status === 'ended',
    start_date: new Date(Date.UTC(2030, number)).toISOString(),
    end_date: null,
    status,
    vesting: null,
  }
}

/** Makes these the stages of the page's seed and of the call, from the next page on. */
async function planStages(page: Page, stages: readonly ListedStage[]): Promise<void> {
  await page.route('**/api/v1/stages', (route) => route.fulfill({ json: stages }))
  await page.route(
    (url) => url.pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      const body = html.replace(/"stages":\[.*?\](?=[,}])/, `"stages":${JSON.stringify(stages)}`)
      await route.fulfill({ response, body })
    },
  )
}
