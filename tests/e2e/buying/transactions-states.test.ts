import { readFile } from 'node:fs/promises'

import { expect, type Page } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  enterAsNewBuyer,
  keepSilent,
  mineBlocks,
  partOf,
  payByHttp,
} from '#tests/e2e/kit/buying.ts'
import { aListed, everyStatus, LIST, listThese } from '#tests/e2e/kit/look/listed-transactions.ts'
import { transactionRows } from '#tests/e2e/kit/pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({ saleFile: buyingSaleFile() })

const filter = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Show' }).getByText(name, { exact: true })
const pay = (page: Page) => transactionRows(page).getByRole('button', { name: 'Pay', exact: true })

test('a row shows how far its money has come, and the oldest is the one to pay', async ({
  page,
  product,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Olga')
  const part = await buyByHttp(address, session, 101)
  const paid = await buyByHttp(address, session, 102)
  await buyByHttp(address, session, 103)
  await page.goto('/buy')
  const rows = transactionRows(page)
  await payByHttp(address, part, partOf(part.payment_amount ?? '', 50))
  await payByHttp(address, paid, paid.payment_amount ?? '')
  await expect(rows.nth(0)).toContainText(/Pending\d+ min left/)
  await expect(rows.nth(1)).toContainText(/Processing[01] of 2 confirmations/)
  // A share is never shown as more than it is: one digit less than half is 49.9%.
  await expect(rows.nth(2)).toContainText(/Pending(half|49\.9%) arrived · \d+ min left/)
  await expect(rows.locator('[data-tone]')).toHaveText(['Pending', 'Processing', 'Pending'])

  await expect(pay(page)).toHaveCount(2)
  const groundOf = (index: number) =>
    pay(page)
      .nth(index)
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(await groundOf(0)).toBe('rgba(0, 0, 0, 0)')
  expect(await groundOf(1)).not.toBe('rgba(0, 0, 0, 0)')
  await mineBlocks(address, 2)
  await expect(rows.nth(1)).toContainText('Completed')
  await expect(rows.nth(1)).not.toContainText('confirmations')
})

test('amounts that do not add up to the balance say why', async ({ page, product }) => {
  await enterAsNewBuyer(page, product.address, 'Sara')
  await keepSilent(page)
  const credited = (total: number) =>
    aListed({ status: 'completed', tokens: { base: total, bonuses: {}, total } })
  const note = page.getByText('These amounts are rounded; your balance counts every digit.')
  for (const path of ['/buy', '/']) {
    await listThese(page, [credited(3_999_943.08024), credited(3_124_989.21878)])
    await page.goto(path)
    await expect(note, `two rounded amounts on ${path}`).toBeVisible()
  }
  await listThese(page, [credited(3_999_943.08), credited(3_124_989)])
  await page.goto('/buy')
  await expect(transactionRows(page)).toHaveCount(2)
  await expect(note, 'two whole amounts').toBeHidden()
  await listThese(page, [credited(3_999_943.08024), aListed()])
  await page.goto('/buy')
  await expect(transactionRows(page)).toHaveCount(2)
  await expect(note, 'one amount in the balance').toBeHidden()
})

test('a purchase that bought nothing shows what arrived, and that it is owed back', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Fay')
  await keepSilent(page)
  await listThese(page, everyStatus())
  await page.goto('/buy')
  const [expired, failed] = [transactionRows(page).nth(3), transactionRows(page).nth(4)]
  await expect(expired).toContainText('Nothing arrivedof $498,849.27')
  await expect(expired).toContainText('0 PEAR')
  await expect(failed).toContainText('4,860,851.06 ETHof $498,849.27')
  await expect(failed).toContainText('0 PEAR')
  await expect(failed).toContainText('Failedrefund due')
  await expect(failed).not.toContainText('worth')
  await takePictures(page, 'list-states')
  await expectAccessible(page, 'transactions of every status')
})

test('dollars are to the cent with the exact sum in the title, and worth says at which price', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Cora')
  await keepSilent(page)
  const bought = aListed({
    status: 'completed',
    initial_purchase_amount_fiat: 498.84927,
    initial_purchase_amount_crypto: 0.39780927,
    token_price: 0.0001,
    tokens: { base: 4_988_492.7, bonuses: { base_bonus: 498_849.27 }, total: 5_487_341.97 },
  })
  await listThese(page, [bought])
  await page.goto('/buy')
  const row = transactionRows(page).first()
  await expect(row).toContainText('0.39780927 ETH')
  await expect(row.getByText('$498.85', { exact: true })).toHaveAttribute('title', '$498.84927')
  await expect(row.getByText(/^worth/)).toHaveText('worth $548.73')
  await expect(row.getByText(/^worth/)).toHaveAttribute(
    'title',
    '$548.73 at the price of this purchase, $0.0001 for one PEAR; $49.88 of it is bonus',
  )
})

test('the list is filtered, the address remembers it, and news keep it right', async ({
  page,
  product,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Ida')
  const open = await buyByHttp(address, session, 101)
  await buyByHttp(address, session, 102)
  // The server's whole list, of which the filter leaves its part.
  await page.route(LIST, async (route) => {
    const url = new URL(route.request().url())
    const state = url.searchParams.get('state')
    url.searchParams.delete('state')
    const reply = await route.fetch({ url: url.href })
    const whole: { data: { status: string }[] } = await reply.json()
    const isOpen = (one: { status: string }) => /pending|processing/.test(one.status)
    const data = whole.data.filter((one) => {
      return state === null || (state === 'open' ? isOpen(one) : one.status === 'completed')
    })
    await route.fulfill({ json: { ...whole, data: state === 'refund' ? [] : data } })
  })
  await page.goto('/buy')
  await expect(transactionRows(page)).toHaveCount(2)
  await filter(page, 'Refunds').click()
  await expect(page.getByText('No money is owed back to you.')).toBeVisible()
  await expect(page).toHaveURL(/[?&]state=refund/)
  await filter(page, 'Done').click()
  await expect(page.getByText('Nothing has been completed yet.')).toBeVisible()
  await filter(page, 'Open').click()
  await expect(transactionRows(page)).toHaveCount(2)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Open' })).toBeChecked()
  await expect(transactionRows(page)).toHaveCount(2)

  await payByHttp(address, open, open.payment_amount ?? '')
  await mineBlocks(address, 2)
  await expect(transactionRows(page)).toHaveCount(1)
  await expect(transactionRows(page)).toContainText('$102')
  await filter(page, 'Done').click()
  await expect(transactionRows(page)).toContainText('$101')
  await filter(page, 'All').click()
  await expect(transactionRows(page)).toHaveCount(2)
  expect(new URL(page.url()).search).toBe('')
})

test('the pages say where in the list they are', async ({ page, product }) => {
  await enterAsNewBuyer(page, product.address, 'Rania')
  await keepSilent(page)
  const rows = Array.from({ length: 5 }, () => aListed())
  const edge = rows[0]?.id ?? ''
  await page.route(LIST, (route) =>
    route.fulfill({ json: { data: rows, before: edge, after: edge, total: 1234, position: 5 } }),
  )
  await page.goto('/buy')
  const pages = page.getByRole('navigation', { name: 'Pages of transactions' })
  await expect(pages).toContainText('6–10 of 1,234')
})

test('the whole list is saved as a table of exact figures', async ({ page, product }) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Tess')
  for (const usd of [101, 102.345678, 103, 104, 105, 106, 107]) {
    await buyByHttp(address, session, usd)
  }
  // Pages of three, as if there were more than the server returns at a time.
  await page.route('**/transactions?*limit=100*', (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=3') }),
  )
  await page.goto('/buy')
  await expect(transactionRows(page)).toHaveCount(5)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('transactions.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(8)
  expect(lines[0]).toContain('Number,Type,Status')
  expect(lines.slice(1).map((line) => line.split(',')[8])).toEqual([
    '107',
    '106',
    '105',
    '104',
    '103',
    '102.345678',
    '101',
  ])
})
