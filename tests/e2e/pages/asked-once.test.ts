import { expect, type Page } from '@playwright/test'

import { expectLoaded } from '#tests/e2e/kit/layout.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Olga')
  await registerPerson(product.address, person)
})

const SCRIPTS_MAX = 20
/** A little more than a page waits before it refetches what came along with it. */
const SEED_TRUSTED_MS = 3100

/** What a page has requested by the time it has refetched what came along with it. */
async function watch(page: Page, open: () => Promise<unknown>) {
  await page.clock.install()
  const calls: string[] = []
  const scripts: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`)
    if (request.resourceType() === 'script') scripts.push(pathname)
  })
  const last = ['projects/current', 'banners'].map((path) =>
    page.waitForResponse((response) => response.url().endsWith(`/api/v1/${path}`)),
  )
  await open()
  await expectLoaded(page)
  await page.clock.runFor(SEED_TRUSTED_MS)
  await Promise.all(last)
  return { calls, scripts }
}

const openPaths = ['/login', '/register', '/info']
const userPaths = ['/', '/buy', '/referrals', '/account', '/promotions']
const isOpen = (path: string) => openPaths.includes(path)

for (const path of [...openPaths, ...userPaths]) {
  test(`${path} makes each call once, and takes ${SCRIPTS_MAX} scripts at most`, async ({
    page,
  }) => {
    if (!isOpen(path)) await enter(page, person, '/before-paint.js')
    const { calls, scripts } = await watch(page, () => page.goto(path))
    expect(calls.toSorted(), 'each call once').toEqual([...new Set(calls)].toSorted())
    expect(calls.includes('GET /api/v1/events'), 'with a live stream').toBe(!isOpen(path))
    expect(scripts.length, scripts.join('\n')).toBeLessThanOrEqual(SCRIPTS_MAX)
    expect(scripts.length).toBeGreaterThan(2)
  })
}
