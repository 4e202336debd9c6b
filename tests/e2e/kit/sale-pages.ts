import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'

/** What somebody sees of the sale on the dashboard and beside it, by words and roles. */

export function card(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}

export function chart(page: Page): Locator {
  return card(page, 'Price').getByRole('slider')
}

export function tooltip(page: Page): Locator {
  return chart(page).locator('[data-tooltip]')
}

export function buyEntry(page: Page): Locator {
  return page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: 'Buy', exact: true })
}

export function recentRows(page: Page): Locator {
  return page.getByRole('list', { name: 'Recent Transactions' }).getByRole('listitem')
}

/** Marks a page so that {@link expectNeverLoaded} can tell that it has not been loaded again. */
export async function mark(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isStillTheSamePage: true }))
}

export async function expectNeverLoaded(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'isStillTheSamePage' in window)).toBe(true)
}

/** A second tab of the same browser, on the buy page. */
export async function openBuyTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/buy')
  return tab
}

/** Collects the calls of a page to a path of the API as they are made, with their queries. */
export function countCalls(page: Page, path: string): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === `/api/v1${path}`) calls.push(url.search)
  })
  return calls
}
