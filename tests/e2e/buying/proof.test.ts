import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

import { expect, type Page } from '@playwright/test'

import { API_BASE } from '#contract/endpoint.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { buyByHttp, enterAsNewBuyer, mineBlocks, payByHttp } from '#tests/e2e/kit/buying.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { transactionDialog } from '#tests/e2e/kit/pages.ts'
import { allowSaleAnswers } from '#tests/e2e/kit/sale.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** All of it is sold by one purchase of $100. */
test.use({ saleFile: buyingSaleFile({ tokenPrice: '1', totalTokens: '100' }) })
test.afterEach(({ faults }) => allowSaleAnswers(faults))

test('a buyer proves a purchase in the page, and from a disk without a network', async ({
  browser,
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Pru')
  await page.goto('/proof')
  await expect(page.getByText('There is no snapshot yet')).toBeVisible()
  const purchase = await buyByHttp(address, session, 100)
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
  await mineBlocks(address, 2)

  const context = await browser.newContext({ baseURL: address })
  const desk = await context.newPage()
  await signInAsOperator(desk, product, 'owner')
  await desk.goto('/operator/delivery')
  await expect(desk.getByText('Nothing is undecided')).toBeVisible({ timeout: 90_000 })
  await takePictures(desk, 'console-delivery-open')
  await desk.getByRole('button', { name: 'Close the books' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Close the books' }).click()
  await expect(desk.getByText('The books are closed').first()).toBeVisible()
  await expectAccessible(desk, 'delivery')
  await takePictures(desk, 'console-delivery')
  await context.close()

  await page.goto(`/buy?id=${purchase.id}`)
  const receipt = await saved(page, () =>
    transactionDialog(page).getByRole('button', { name: 'Download the proof' }).click(),
  )
  await page.goto('/proof')
  const field = page.locator('input[type=file]')
  await field.setInputFiles(receipt)
  await expect(page.getByText('It is in the snapshot')).toBeVisible()
  await expect(page.getByText('100 PEAR are in snapshot 1')).toBeVisible()
  await expectAccessible(page, 'proof')
  await takePictures(page, 'proof')
  const text = await readFile(receipt, 'utf8')
  const forged = text.replace(/"100000000000000000000"/, '"200000000000000000000"')
  expect(forged).not.toBe(text)
  const file = { name: 'forged.json', mimeType: 'application/json', buffer: Buffer.from(forged) }
  await field.setInputFiles(file)
  await expect(page.getByText('What it says is not in the tree of its root.')).toBeVisible()
  await field.setInputFiles({ ...file, buffer: Buffer.from('{}') })
  await expect(page.getByText('This is not a proof file')).toBeVisible()
  const all = await saved(page, () =>
    page.getByRole('button', { name: 'Download your proofs' }).click(),
  )
  await field.setInputFiles(all)
  await expect(page.getByText('It is in the snapshot')).toBeVisible()

  const checker = await saved(page, () => page.getByRole('link', { name: 'offline check' }).click())
  const alone = await browser.newContext({ offline: true })
  const disk = await alone.newPage()
  await disk.goto(pathToFileURL(checker).href)
  await disk.locator('#file').setInputFiles(receipt)
  await expect(disk.locator('#results')).toContainText('Right.')
  await disk.locator('#root').fill(`0x${'0'.repeat(64)}`)
  await expect(disk.locator('#results')).toContainText('It is in another tree')
  await disk.locator('#file').setInputFiles(file)
  await expect(disk.locator('#results')).toContainText('not in the tree')
  await alone.close()
})

test('the page that is saved never runs at the address of the sale', async ({ product }) => {
  const reply = await fetch(`${product.address}/check-receipt.html`)
  expect(reply.headers.get('content-disposition')).toContain('attachment')
  expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
  const proof = await fetch(`${product.address}${API_BASE}/proof`)
  expect(proof.status).toBe(200)
})

/** Where the browser keeps what an act has it download. */
async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  const path = test.info().outputPath(download.suggestedFilename())
  await download.saveAs(path)
  return path
}
