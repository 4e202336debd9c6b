import { expect, type Page } from '@playwright/test'

import { SERVER_TIME } from '#contract/endpoint.ts'
import { saleContract } from '#contract/sale.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter, storeSession } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { saleWith } from '#tests/e2e/kit/sale.ts'
import { card, countCalls } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: saleWith([
    'name: First, type: fixed, token_price: 0.5, total_tokens: 1000, start_date: P0D, end_date: PT10M',
  ]),
})

const STEP_MS = 50

test('the countdown ticks every second; the stage is fetched 1000 ms after it has finished', async ({
  page,
  product,
}) => {
  const person = somebody('Cora')
  await registerPerson(product.address, person)
  const stage = await callProduct(product.address, saleContract.getActiveStage, {})
  const endsAtMs = Date.parse(stage.end_date ?? '')
  // Only the page's clock is moved forward, and it does not learn that: for the server the stage
  // has minutes left.
  await page.addInitScript((name) => {
    const read = Headers.prototype.get
    const get = function (this: Headers, wanted: string) {
      return wanted === name ? null : read.call(this, wanted)
    }
    Object.assign(Headers.prototype, { get })
  }, SERVER_TIME)
  await page.clock.install({ time: endsAtMs - 65_000 })
  await enter(page, person)
  const timer = card(page, 'First Ends In').getByRole('timer')
  await expect(timer).toHaveText(/^00days00hours0[01]minutes\d\dseconds$/)
  const calls = countCalls(page, '/stages/active')

  await page.clock.pauseAt(endsAtMs - 3000)
  await expect(timer).toHaveText(/0[34]seconds$/)
  await page.clock.runFor(1000)
  await expect(timer).toHaveText(/0[23]seconds$/)
  await advanceUntil(page, async () => (await timer.innerText()).replaceAll('\n', '') === ZERO)
  calls.length = 0

  const waitedMs = await advanceUntil(page, () => Promise.resolve(calls.length > 0))
  expect(waitedMs).toBeGreaterThanOrEqual(1000 - 2 * STEP_MS)
  expect(waitedMs).toBeLessThanOrEqual(1000 + 6 * STEP_MS)

  calls.length = 0
  const againMs = await advanceUntil(page, () => Promise.resolve(calls.length > 0))
  expect(againMs, 'and again, until the server has turned as well').toBeGreaterThan(4000)
})

test('on a device whose clock is wrong the stage ends when the server says', async ({
  page,
  product,
}) => {
  const person = somebody('Cleo')
  await registerPerson(product.address, person)
  await storeSession(page, person)
  await page.clock.install({ time: Date.now() + 20 * 86_400_000 })
  await page.goto('/')
  const timer = card(page, 'First Ends In').getByRole('timer')
  await expect(timer).toHaveText(/^00days00hours0[1-9]minutes\d\dseconds$/)
  const calls = countCalls(page, '/stages/active')
  await page.clock.runFor(11_000)
  // The live stream may have opened meanwhile, after which the stage is asked for once.
  expect(calls.length, 'nothing is overdue').toBeLessThan(2)
})

const ZERO = '00days00hours00minutes00seconds'

/** Moves the page's clock forward in small steps; returns how far it came until `isReached`. */
async function advanceUntil(page: Page, isReached: () => Promise<boolean>): Promise<number> {
  for (let passedMs = 0; passedMs < 10_000; passedMs += STEP_MS) {
    if (await isReached()) return passedMs
    await page.clock.runFor(STEP_MS)
  }
  throw new Error('It was not reached within ten seconds of the page’s clock.')
}
