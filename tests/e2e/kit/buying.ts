import { expect, type Locator, type Page, type Route } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { callProduct } from './client.ts'
import type { Faults } from './faults.ts'
import { startLiveEvents } from './live-events.ts'
import { storeSession } from './pages.ts'
import { type LoggedIn, type Person, registerPerson, somebody } from './people.ts'

/** The parts of the buy page, by the words and roles that people see. */

export const spendField = (page: Page): Locator =>
  page.getByLabel('I want to spend', { exact: true })
export const coinField = (page: Page): Locator =>
  page.getByLabel('I want to buy with', { exact: true })
export const tokenButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^Payment token/ })
export const tokenOptions = (page: Page): Locator => page.getByRole('dialog').getByRole('option')
export const deal = (page: Page): Locator => page.getByText(/^You send /)
/** The list under 'Eligible Bonuses'. */
export const bonusList = (page: Page): Locator =>
  page.locator('dl').filter({ hasText: 'Total Bonus' })

/** Somebody new, logged in by HTTP, and in the browser from the next page on. */
export async function enterAsNewBuyer(
  page: Page,
  address: string,
  name: string,
): Promise<{ person: Person; session: LoggedIn }> {
  const person = somebody(name)
  const session = await registerPerson(address, person)
  await storeSession(page, person)
  return { person, session }
}

/** The sandbox's prices change; with these fixed ones, amounts are known to the last digit. */
export async function fixPrices(page: Page, prices: Record<string, number>): Promise<void> {
  await keepSilent(page)
  await page.route('**/api/v1/prices', (route) => route.fulfill({ json: wirePrices(prices) }))
}

export function wirePrices(prices: Record<string, number>): Record<string, { USD: number }> {
  return Object.fromEntries(Object.entries(prices).map(([symbol, USD]) => [symbol, { USD }]))
}

/** Keeps the server from notifying the page of anything: its stream opens, and says nothing. */
export async function keepSilent(page: Page): Promise<void> {
  // A stream that never opens would keep each page waiting before its first calls.
  await startLiveEvents(page)
}

/** A purchase by HTTP, as from another device. */
export async function buyByHttp(
  address: string,
  { accessToken }: LoggedIn,
  usd: number,
  tokenId = 'eth',
): Promise<Transaction> {
  const body = { purchase_amount: usd, purchase_token_id: tokenId }
  const input = { headers: {}, body }
  const { data } = await callProduct(
    address,
    transactionsContract.createTransaction,
    input,
    accessToken,
  )
  return data
}

/** Pays on the simulated chain; `amount` is a decimal string. */
export async function payByHttp(
  address: string,
  { payment_address: to }: Transaction,
  amount: string,
): Promise<void> {
  await callProduct(address, sandboxContract.pay, { body: { address: to ?? '', amount } })
}

export async function mineBlocks(address: string, count: number): Promise<void> {
  await callProduct(address, sandboxContract.mineBlocks, { body: { count } })
}

/** Drops the last blocks of the simulated chain, with the payments in them. */
export async function dropBlocks(address: string, depth: number): Promise<void> {
  await callProduct(address, sandboxContract.reorganise, { body: { depth } })
}

/** A part of a decimal amount, `percent` hundredths of it, cut after eight decimals. */
export function partOf(amount: string, percent: number): string {
  return ((Number(amount) * percent) / 100).toFixed(8)
}

/** The form in which the server refuses. */
export function refusal(code: number, reason: string, message: string) {
  return { status: code, json: { code, reason, message, request_id: 'test' } }
}

/**
 * Removes from the faults of the pages what a test caused on purpose: the browser itself logs an
 * error for each reply of 400 and more and for each aborted request.
 */
export function dropFaults(faults: Faults, expected: RegExp): void {
  expect(
    faults.filter((fault) => !expected.test(fault)),
    `faults other than ${expected}`,
  ).toEqual([])
  faults.length = 0
}

/** {@link dropFaults} at the end of a test: a closed page logs nothing more to its console. */
export async function closeAndDropFaults(
  page: Page,
  faults: Faults,
  expected: RegExp,
): Promise<void> {
  await page.close()
  dropFaults(faults, expected)
}

/** Holds back the replies to a call until they are released, one by one and in any order. */
export async function holdBack(page: Page, path: string): Promise<{ held: Route[] }> {
  const held: Route[] = []
  await page.route(path, (route) => {
    held.push(route)
  })
  return { held }
}
