import { expect } from '@playwright/test'

import type { Project, Transaction } from '#contract/shapes.ts'
import { buyByHttp, enterAsNewBuyer, mineBlocks, payByHttp } from '#tests/e2e/kit/buying.ts'
import { tabTo, transactionDialog } from '#tests/e2e/kit/pages.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { aWireRefund } from '#tests/kit/builders/a-wire-transaction.ts'

const WHITE = 'rgb(255, 255, 255)'
const BLACK = 'rgb(0, 0, 0)'

test('a transaction is printed alone, whole and in ink on white', async ({ page, product }) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Petra')
  const purchase = await buyByHttp(product.address, session, 250)
  await payByHttp(product.address, purchase, purchase.payment_amount ?? '')
  await page.setViewportSize({ width: 800, height: 300 })
  await page.goto(`/buy?id=${purchase.id}`)
  const dialog = transactionDialog(page)
  await expect(dialog.getByRole('heading', { name: 'Payments received' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible()
  const number = dialog.getByText(purchase.id, { exact: true })
  await expect(number, 'on the screen it would only be in the way').toBeHidden()

  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('main')).toBeHidden()
  await expect(page.locator('header').first()).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeHidden()
  await expect(dialog.getByRole('heading', { name: 'Payments received' })).toBeVisible()
  await expect(number).toBeVisible()
  const date = dialog.locator(`time[datetime="${purchase.created_date}"]`)
  await expect(date).toBeVisible()
  await expect(date).toContainText(purchase.created_date.slice(0, 4))
  await expect(page.locator('body')).toHaveCSS('background-color', WHITE)
  await expect(dialog).toHaveCSS('color', BLACK)
  const hidden = await dialog.evaluate((element) =>
    [element, ...element.querySelectorAll('div')]
      .filter((part) => getComputedStyle(part).overflowY !== 'visible')
      .map((part) => part.scrollHeight - part.clientHeight),
  )
  expect(Math.max(0, ...hidden), 'what has to be scrolled to').toBe(0)
})

test.describe('in a time zone of its own', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('the receipt has all that somebody keeps of a purchase', async ({ page, product }) => {
    const { person, session } = await enterAsNewBuyer(page, product.address, 'Paula')
    const purchase = await buyByHttp(product.address, session, 1000)
    const due = purchase.payment_amount ?? ''
    await payByHttp(product.address, purchase, due)
    await mineBlocks(product.address, 2)
    const hash = `0x${'8f3a9c01'.repeat(8)}`
    await page.route(`**/api/v1/transactions/${purchase.id}`, async (route) => {
      const reply = await route.fetch()
      const shown = (await reply.json()) as Transaction
      const receipts = shown.receipts.map((receipt) => ({
        ...receipt,
        transaction_hash: hash,
        explorer_url: `https://explorer.example/tx/${hash}`,
      }))
      const refunds = [
        aWireRefund({
          amount: '0.05',
          sent_amount: '0.049',
          status: 'paid',
          transaction_hash: hash,
        }),
      ]
      await route.fulfill({ json: { ...shown, receipts, refunds, terms_date: '2026-11-20' } })
    })
    await page.goto(`/buy?id=${purchase.id}`)
    const dialog = transactionDialog(page)
    await expect(dialog.getByText('Completed', { exact: true })).toBeVisible()
    const receipt = page.locator('[data-paper]')
    await expect(receipt).toHaveCount(0)

    await page.emulateMedia({ media: 'print' })
    await expect(receipt.getByText('Receipt', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('heading', { name: 'Transaction' })).toBeHidden()
    const [first = '', second = ''] = purchase.id.match(/\w{4}/g) ?? []
    const parts = [
      `${first}-${second}`.toUpperCase(),
      'HUH Foundation (example)',
      'Exampletown, Nowhere',
      `${person.first_name} ${person.last_name}`,
      person.email,
      'November 20, 2026',
      `${due} ETH`,
      '$1,000',
      '$0.0001',
      'Stage Bonus',
      '$ Amount Purchase Bonus',
      'First Purchase Bonus',
      'Total',
      purchase.payment_address ?? '',
      hash,
      `https://explorer.example/tx/${hash}`,
      '0.049 ETH',
      'You can lose everything you put in',
      'privacy@huh.social',
    ]
    for (const part of parts) await expect(receipt).toContainText(part)
    const made = receipt.locator(`time[datetime="${purchase.created_date}"]`)
    await expect(made).toHaveText(/GMT\+9 \(.+ UTC\)$/)
  })
})

test('the receipt names the seller in the language of the page', async ({ page, product }) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Pola')
  await buyByHttp(product.address, session, 250)
  await page.route('**/api/v1/projects/current', async (route) => {
    const project = (await (await route.fetch()).json()) as Project
    const de = { 'HUH Foundation (example)': 'HUH-Stiftung', 'Exampletown, Nowhere': 'Nirgendwo' }
    await route.fulfill({ json: { ...project, translations: { de } } })
  })
  await page.goto('/buy')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  const list = page.getByRole('list', { name: 'Transaktionen' })
  await list.getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('[data-paper]')).toContainText('HUH-StiftungNirgendwo')
})

test('a purchase that was undone is printed without its tokens and their release', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Paul')
  const purchase = await buyByHttp(product.address, session, 250)
  await page.goto(`/buy?id=${purchase.id}`)
  await page.emulateMedia({ media: 'print' })
  const part = (name: string) => page.locator('[data-paper]').getByRole('heading', { name })
  await expect(part('Tokens')).toBeVisible()
  await expect(part('Release')).toBeVisible()

  await page.route(`**/api/v1/transactions/${purchase.id}`, async (route) => {
    const shown = (await (await route.fetch()).json()) as Transaction
    await route.fulfill({ json: { ...shown, status: 'failed', status_reason: 'withdrawn' } })
  })
  await page.reload()
  await expect(part('Payment')).toBeVisible()
  await expect(part('Tokens')).toHaveCount(0)
  await expect(part('Release')).toHaveCount(0)
})

test('the button prints the receipt, which is there when the printer asks', async ({
  page,
  product,
}) => {
  // Printing begins as in a browser; whatever is on the page by then is printed.
  await page.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'))
      const printed = document.querySelector('[data-paper]')?.textContent ?? ''
      Object.assign(window, { printed })
      window.dispatchEvent(new Event('afterprint'))
    }
  })
  const { session } = await enterAsNewBuyer(page, product.address, 'Piet')
  const purchase = await buyByHttp(product.address, session, 250)
  await payByHttp(product.address, purchase, purchase.payment_amount ?? '')
  await mineBlocks(product.address, 2)
  await page.goto(`/buy?id=${purchase.id}`)
  await tabTo(page, transactionDialog(page).getByRole('button', { name: 'Print or save as PDF' }))
  await page.keyboard.press('Enter')
  const printed = await page.evaluate(() => String(Reflect.get(window, 'printed')))
  expect(printed).toContain(purchase.id)
  expect(printed).toContain(`${purchase.payment_amount} ETH`)
  await expect(page.locator('[data-paper]')).toHaveCount(0)
})

test('a receipt saved as PDF is one sheet', async ({ page, product }) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Pia')
  const purchase = await buyByHttp(product.address, session, 250)
  await payByHttp(product.address, purchase, purchase.payment_amount ?? '')
  await mineBlocks(product.address, 2)
  await page.goto(`/buy?id=${purchase.id}`)
  await expect(transactionDialog(page).getByText('Completed', { exact: true })).toBeVisible()
  await page.evaluate(() => {
    new MutationObserver(() => {
      const text = document.querySelector('[data-paper]')?.textContent
      if (text !== undefined) Object.assign(window, { printed: text })
    }).observe(document.body, { childList: true, subtree: true })
  })
  const file = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  expect(await page.evaluate(() => String(Reflect.get(window, 'printed')))).toContain(purchase.id)
  expect(file.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})

test('a page is printed without what is only for pressing', async ({ page }) => {
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', BLACK)
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.locator('header').first()).toBeHidden()
  await expect(page.locator('footer')).toBeHidden()
})
