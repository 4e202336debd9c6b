import { expect, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import type { Transaction } from '#contract/shapes.ts'
import { callProduct } from './client.ts'
import { bonusPercentage, bonusPercentages, SPENT_USD, type Tokens, written } from './deal.ts'
import { readLines, shownAmount, transactionDialog } from './pages.ts'

export async function expectBonusesToAddUp(page: Page, tokens: Tokens): Promise<void> {
  const header = page.getByRole('button', { name: /Eligible Bonuses/ })
  await expect(header).toContainText(`${bonusPercentage}%`)
  await expect(header).toHaveAttribute('aria-expanded', 'true')
  const list = page.locator('dl').filter({ hasText: 'Total Bonus' })
  const { 'Total Bonus': total = '', ...lines } = Object.fromEntries(await readLines(list))
  expect(Object.keys(lines).toSorted()).toEqual(Object.keys(bonusPercentages).toSorted())
  for (const [label, amount] of Object.entries(tokens.bonuses)) {
    expect(lines[label], label).toContain(written(amount))
  }
  const sum = Object.values(lines).reduce((added, line) => added + shownAmount(line), 0n)
  expect(shownAmount(total)).toBe(sum)
  await header.click()
  await expect(list).toBeHidden()
  await header.click()
  await expect(list).toBeVisible()
}

export async function expectDealInOneSentence(
  page: Page,
  tokens: Tokens,
  address: string,
): Promise<void> {
  const sentence = page.getByText(/^You send [\d,.]+ MATIC for [\d,.]+ HUH$/)
  await expect(sentence).toContainText(`for ${written(tokens.total)} HUH`)
  const coins = Number(shownAmount(await sentence.innerText())) / 1e5
  const prices = await callProduct(address, saleContract.getPrices, {})
  const usdValue = coins * (prices['MATIC']?.USD ?? 0)
  // The sandbox's prices drift, so the price may have moved since the page asked for it.
  expect(Math.abs(usdValue - SPENT_USD)).toBeLessThan(SPENT_USD * 0.02)
}

export async function expectPaymentShown(page: Page, purchase: Transaction): Promise<void> {
  const dialog = transactionDialog(page)
  const { payment_address: address, payment_amount: amount, payment_uri: uri } = purchase
  if (address === null || amount === null || uri === null) throw new Error('Nothing to pay.')
  expect(uri).toMatch(/^ethereum:/)
  expect(Number(amount)).toBeCloseTo(purchase.initial_purchase_amount_crypto ?? 0, 8)

  const qr = dialog.getByRole('img', { name: /QR code/ })
  await expect(qr).toHaveAttribute('data-qr-value', uri)
  await expect(qr).toHaveAttribute('width', '160')
  await dialog.getByText('Address only').click()
  await expect(qr).toHaveAttribute('data-qr-value', address)
  await dialog.getByText('Payment link', { exact: true }).click()
  await expect(qr).toHaveAttribute('data-qr-value', uri)

  // Leaves out the hidden text of buttons, which only screen readers read.
  const read = async (label: string) => {
    const text = await dialog.getByRole('button', { name: `Copy ${label}` }).innerText()
    return text.replace(/\s/g, '').replace(`Copy${label}`.replaceAll(' ', ''), '')
  }
  expect(await read('Wallet Address')).toBe(address)
  expect((await read('Amount to Pay')).replaceAll(',', '')).toBe(`${amount}MATIC`)
  await expect(dialog.getByText('Token to Pay With', { exact: true })).toBeVisible()
  await expect(dialog.getByText(/Polygon \(MATIC\)/)).toBeVisible()
  await expect(dialog.getByText(/Send only MATIC/)).toBeVisible()
}
