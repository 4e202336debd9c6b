import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { PAGE_SEED_ID, type PageSeed, type RenderPage } from '#contract/page-seed.ts'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'
import { projectRoot } from '#tools/project.ts'

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

/** Marks a page so that {@link expectNeverLoaded} can tell that it was not reloaded. */
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

interface Offer {
  stages: ListedStage[]
  project?: Partial<Project>
}

/**
 * Serves the product's pages as its server would for a sale with this offer, rendered by the
 * build's own renderer, and answers the calls that refetch it.
 */
export async function serveOffer(page: Page, { stages, project = {} }: Offer): Promise<void> {
  const file = join(projectRoot, 'dist/web/.server/server-static-page.js')
  const { renderPage } = (await import(pathToFileURL(file).href)) as { renderPage: RenderPage }
  const seedMark = new RegExp(`(id="${PAGE_SEED_ID}">)(.*?)(</script>)`, 's')
  await page.route(/\/(?:info|login|register)?(?:[?#].*)?$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const reply = await route.fetch()
    const html = await reply.text()
    const sent = JSON.parse(seedMark.exec(html)?.[2] ?? '{}') as PageSeed
    const seed = { ...sent, project: { ...sent.project, ...project }, stages }
    const language = html.includes('<html lang="de"') ? 'de' : 'en'
    const rendered = renderPage(new URL(route.request().url()).pathname, seed, language)
    const json = JSON.stringify(seed).replaceAll('<', String.raw`\u003c`)
    const body = html
      .replace(/<div id="root">.*<\/div>(?=\s*<script type="application\/json")/s, () => {
        return `<div id="root">${rendered.html}</div>`
      })
      .replace(seedMark, (_, start: string, _json: string, end: string) => start + json + end)
    const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = reply.headers()
    return route.fulfill({ status: reply.status(), headers, body })
  })
  await page.route('**/api/v1/stages', (route) => route.fulfill({ json: stages }))
  await page.route('**/api/v1/projects/current', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...((await reply.json()) as Project), ...project } })
  })
}
