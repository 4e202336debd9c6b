import { readFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { anOperatorPerson, type OperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { excuseStatus } from '#tests/e2e/kit/account.ts'
import { expectNoOverhang, expectWithinCards } from '#tests/e2e/kit/layout.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { startProduct } from '#tests/e2e/kit/product.ts'
import { test as base } from '#tests/e2e/kit/test.ts'

let owner: OperatorPerson

/** With an owner who is signed in, and a transfer that belongs to nobody. */
const test = base.extend({
  product: [
    async ({ saleFile }, provide) => {
      const clock = { now: () => new Date() }
      const product = await startProduct(saleFile, {
        prepare: async (open) => {
          owner = await anOperatorPerson({ open, clock } as never, 'owner', 'Olga Owner')
          await open.database
            .insertInto('unmatched_transfers')
            .values({
              chain: 'sandbox',
              transaction_hash: `sandbox-${randomUUID()}`,
              output_index: 0,
              address: 'sandbox-eth-nobodys',
              payment_token_id: 'eth',
              amount: 2n * 10n ** 18n,
              is_gone: false,
              seen_at: new Date(),
            } as never)
            .execute()
        },
      })
      await provide(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

/** Somebody who bought for $250 and paid it. */
async function buyFor250(address: string): Promise<string> {
  const registration = aRegistration()
  const { data } = await callProduct(address, authContract.register, { body: registration })
  const bought = await callProduct(
    address,
    transactionsContract.createTransaction,
    { headers: {}, body: { purchase_amount: 250, purchase_token_id: 'eth' } },
    data.tokens.access.token,
  )
  const { payment_address, payment_amount } = bought.data
  const body = { address: payment_address ?? '', amount: payment_amount ?? '' }
  await callProduct(address, sandboxContract.pay, { body })
  await callProduct(address, sandboxContract.mineBlocks, { body: { count: 3 } })
  return bought.data.id
}

test('an owner reads the figures, takes what waits, puts it away and exports', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(240_000)
  const [name = '', value = ''] = owner.cookie.split('=')
  const { hostname } = new URL(product.address)
  await page.context().addCookies([{ name, value, domain: hostname, path: '/api/v1/operator' }])

  await test.step('the overview follows a purchase without a reload', async () => {
    await page.goto('/operator')
    const coins = page.getByRole('region', { name: 'Raised by coin' })
    await expect(coins).toContainText('Nothing has been credited yet.')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    await skip.focus()
    await expect(skip, 'it lies above the page, and moves nothing').toHaveCSS('position', 'fixed')
    await buyFor250(product.address)
    await expect(coins).toContainText('$250', { timeout: 30_000 })
    const raised = page.getByText('Raised, in dollars at locked prices').locator('..')
    await expect(raised).toHaveText(/\$250$/)
    // It was credited today, unless midnight in UTC has passed since.
    await expect(page.getByText(/^(\$250 today, \$0|\$0 today, \$250) yesterday\.$/)).toBeVisible()
    await expect(page.getByText('0 waiting for payment, 0 for confirmations.')).toBeVisible()
    await page.getByRole('button', { name: 'The figures of each day' }).click()
    await expect(page.getByRole('table', { name: 'Raised by day' })).toContainText('$250')
    await expectAccessible(page, 'the overview')
  })

  await test.step('what has waited longest leads to the inbox', async () => {
    await page.getByRole('link', { name: '2 ETH arrived at an address without a purchase' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbox')
    const row = page.getByRole('row', { name: /2 ETH arrived at/ })
    await expect(row).toContainText('anyone in finance')
    await expectAccessible(page, 'the inbox')
    await row.getByRole('button', { name: /^Take/ }).click()
    await expect(row).toContainText('Olga Owner')
    await expect(page.getByText('You have taken it.')).toBeVisible()
  })

  await test.step('what a silent server has said before is shown with its age', async () => {
    const list = '**/operator/inbox?*'
    const old = page.getByText(/This is as of \w{3} \d{1,2}, \d\d:\d\d\.$/)
    await page.route(list, (route) => route.fulfill({ status: 503 }))
    await expect(old).toBeVisible({ timeout: 40_000 })
    await expect(page.getByRole('row', { name: /2 ETH arrived at/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expectAccessible(page, 'an inbox that is not current')
    await page.unroute(list)
    await expect(old).toBeHidden({ timeout: 30_000 })
    excuseStatus(faults, 503)
  })

  await test.step('filters are in the address', async () => {
    await page.getByRole('radio', { name: 'Not taken' }).click()
    await expect(page).toHaveURL(/owner=nobody/)
    await expect(page.getByText('Nothing of this kind is waiting')).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(page).not.toHaveURL(/owner/)
  })

  await test.step('an item is put away with a reason', async () => {
    await page.getByRole('button', { name: /^Put away/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Put away' }).click()
    await expect(dialog).toContainText('Say in a few words why.')
    await dialog.getByLabel('Reason').fill('Sent back')
    const list = '**/operator/inbox?*'
    await page.route(list, async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ json: { ...(await reply.json()), data: [] } })
    })
    await expect(page.getByText('Nothing is waiting for anybody')).toBeVisible({ timeout: 30_000 })
    await expect(dialog.getByLabel('Reason'), 'its item has gone').toHaveValue('Sent back')
    await page.unroute(list)
    await dialog.getByRole('button', { name: 'Put away' }).click()
    await expect(page.getByText('Nothing is waiting for anybody')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectAccessible(page, 'the empty inbox')
  })

  await test.step('at twice the zoom every table keeps to its card', async () => {
    await page.setViewportSize({ width: 640, height: 400 })
    for (const path of ['', '/sale', '/purchases', '/people']) {
      await page.goto(`/operator${path}`)
      await expect(page.getByRole('table').filter({ visible: true }).first()).toBeVisible()
      await expectNoOverhang(page, `/operator${path}`)
      await expectWithinCards(page, `/operator${path}`)
    }
  })

  await test.step('a download has its name and its rows', async () => {
    await page.goto('/operator/exports')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Exports')
    await expectAccessible(page, 'the exports')
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Purchases as CSV' }).click()
    const download = await coming
    expect(download.suggestedFilename()).toMatch(/^purchases-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n')).toHaveLength(3)
    expect(text).toContain('"completed"')
  })
})
