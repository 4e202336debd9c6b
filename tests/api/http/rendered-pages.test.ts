import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'

import { ListedStage } from '#contract/sale-page-shapes.ts'
import { Banner, Project } from '#contract/shapes.ts'
import { price } from '#domain/money.ts'
import { buyAndPay, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const SECOND_MS = 1_000
const DAY_MS = 24 * 60 * 60 * SECOND_MS

/** A renderer whose pages count how often it was asked. */
const RENDERER = `let count = 0
export function renderPage(path, seed, language) {
  count += 1
  const sourcesOf = { user: [], visitor: [] }
  return { title: '', description: '', sources: [], sourcesOf, note: '', html: \`rendering \${count}\` }
}`
const TEMPLATE = '<html lang="en"><!--head--><!--/head--><!--page--><!--seed--></html>'

const Seed = z.object({ project: Project, banners: z.array(Banner), stages: z.array(ListedStage) })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rendered-pages-'))
  await mkdir(join(folder, '.server'))
  await writeFile(join(folder, 'index.html'), TEMPLATE)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, '.server', 'server-static-page.js'), RENDERER)
})
afterAll(() => rm(folder, { recursive: true }))

let kit: TestApp
afterEach(async () => {
  vi.useRealTimers()
  await kit.close()
})

/** The shipped sale with a small first stage whose price rises from $1 to $2. */
async function start(): Promise<void> {
  const rising = smallStages({ type: 'dynamic', finalTokenPrice: price(2n * 10n ** 12n) })
  const changeSale: typeof rising = (sale) => rising(quickSale(sale))
  kit = await startApp({ changeSale, app: { webFolder: folder } })
  vi.useFakeTimers({ toFake: ['performance'] })
}

async function pageAt(url: string, language?: string) {
  const headers = language === undefined ? {} : { cookie: `language=${language}` }
  const { payload } = await kit.app.inject({ url, headers })
  const [, count] = /rendering (\d+)/.exec(payload) ?? []
  const [, json] = /id="seed">(.*?)<\/script>/.exec(payload) ?? []
  if (count === undefined || json === undefined) throw new Error(`${url} is not rendered.`)
  return { count: Number(count), seed: Seed.parse(JSON.parse(json)) }
}

describe('a page', () => {
  test('is sent with the stages, and again when they have changed', async () => {
    await start()
    const { seed } = await pageAt('/info')
    expect(seed.stages.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'Stage 1 active',
      'Stage 2 upcoming',
    ])
    expect(seed.stages[0]).toMatchObject({ current_token_price: 1, sold_tokens: 0 })
    await buyAndPay(kit, await aUser(kit), { usd: 500 })
    vi.advanceTimersByTime(2 * SECOND_MS)
    const { seed: later } = await pageAt('/info')
    expect(later.stages[0]).toMatchObject({ current_token_price: 1.5, sold_tokens: 500 })
  })

  test('is rendered once in two seconds at most, however many buy and however many ask', async () => {
    await start()
    const first = await pageAt('/info')
    const buyer = await aUser(kit)
    const counts = new Set([first.count])
    for (let purchase = 0; purchase < 4; purchase++) {
      await buyAndPay(kit, buyer, { usd: 50 })
      vi.advanceTimersByTime(SECOND_MS)
      const asked = await Promise.all(Array.from({ length: 20 }, () => pageAt('/info')))
      for (const { count } of asked) counts.add(count)
    }
    // At the beginning, and after two and four seconds.
    expect(counts.size).toBe(3)
  })

  test('is kept while nothing changes', async () => {
    await start()
    const first = await pageAt('/info')
    vi.advanceTimersByTime(DAY_MS)
    expect((await pageAt('/info')).count).toBe(first.count)
  })

  test('shows at once that the time of a notice is over', async () => {
    await start()
    const { seed } = await pageAt('/info')
    expect(seed.banners.map(({ id }) => id)).toEqual(['how-it-works', 'first-week'])
    await kit.passTime(8 * DAY_MS)
    const { seed: later } = await pageAt('/info')
    expect(later.banners.map(({ id }) => id)).toEqual(['how-it-works'])
  })

  test('has the translations of its language alone', async () => {
    await start()
    expect((await pageAt('/info')).seed.project.translations).toEqual({})
    const { translations } = (await pageAt('/info', 'de')).seed.project
    expect(Object.keys(translations)).toEqual(['de'])
    expect(translations['de']?.['Stage 1']).toBe('Phase 1')
  })

  test('keeps the last stages while the database does not answer', async () => {
    await start()
    const { seed } = await pageAt('/info')
    kit.services.market.read = () => Promise.reject(new Error('no database'))
    vi.advanceTimersByTime(2 * SECOND_MS)
    expect((await pageAt('/info')).seed.stages).toEqual(seed.stages)
    expect(kit.complaints.map(({ message }) => message)).toContain(
      'The stages could not be read for pages, which show older ones',
    )
  })
})
