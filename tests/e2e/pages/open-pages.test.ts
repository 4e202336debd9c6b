import { expect, type Page } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { enterAsNewBuyer } from '#tests/e2e/kit/buying.ts'
import { WRONG_ADDRESS } from '#tests/e2e/kit/faults.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const SITE = 'HUH Token presale'

/** The day that stands over the terms and the privacy policy. */
const VERSION = 'Version of 1 December 2026'

const openPages = [
  { path: '/info', title: 'Info', heading: 'The HUH Token presale' },
  { path: '/terms', title: 'Terms and Conditions', heading: 'Terms and Conditions' },
  { path: '/privacy-policy', title: 'Privacy Policy', heading: 'Privacy Policy' },
]

/** What the specification requires of /info; section 1. */
const facts = [
  '10 trillion',
  '18%',
  '1:2',
  '35%',
  'Unsold tokens are burned',
  '6 months',
  'Monthly stages at a rising price',
  '5 months',
  'starts with 1%',
  'rises step by step to 100%',
  'set at the end of stage 6',
  'Where influence is currency',
  'Launching August 2022',
]

const main = (page: Page) => page.getByRole('main')

async function expectFacts(page: Page): Promise<void> {
  for (const fact of facts) await expect(main(page)).toContainText(fact)
}

async function expectPrivacy(page: Page, address: string): Promise<void> {
  const sentences = [
    'HUH Foundation (example), Exampletown, Nowhere, the seller of HUH Token, decides what happens',
    address,
    'your email and your password',
    'authenticator app',
    'time of access, your device, operating system and browser',
    'your IP address',
    'General Data Protection Regulation (GDPR)',
    'one cookie, and only where you choose a language other than English',
    'download everything that is stored about you, and delete your account',
    'privacy@huh.social',
    VERSION,
  ]
  for (const words of sentences) await expect(main(page)).toContainText(words)
  await expectContact(page)
}

async function expectTerms(page: Page, address: string): Promise<void> {
  for (const words of ['HUH Token', address, VERSION]) {
    await expect(main(page)).toContainText(words)
  }
  await expectContact(page)
}

/** Who is to be asked can be written to with a click. */
async function expectContact(page: Page): Promise<void> {
  await expect(main(page).getByRole('link', { name: 'privacy@huh.social' })).toHaveAttribute(
    'href',
    'mailto:privacy@huh.social',
  )
}

test('are whole with scripts on', async ({ page, product }) => {
  test.setTimeout(180_000)
  for (const { path, title, heading } of openPages) {
    await page.goto(path)
    await expect(page).toHaveTitle(`${title} · ${SITE}`)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    if (path === '/info') await expectFacts(page)
    if (path === '/terms') await expectTerms(page, product.address)
    if (path === '/privacy-policy') await expectPrivacy(page, product.address)
    await takePictures(page, `open${path.replace('/', '-')}`)
    await expectAccessible(page, path)
  }
})

test('lead to the licences of what they are made of', async ({ page, request }) => {
  await page.goto('/terms')
  await page.getByRole('link', { name: 'Licences of the software used' }).click()
  for (const words of [
    'react-dom - ',
    'Copyright (c) Meta Platforms',
    'The Archivo Project Authors',
    'The Inter Project Authors',
    'SIL OPEN FONT LICENSE',
  ]) {
    await expect(page.locator('body')).toContainText(words)
  }
  const operators = await (await request.get('/operator/licenses.txt')).text()
  expect(operators).toContain('@simplewebauthn/browser - ')
})

test('the privacy policy tells the truth about cookies and other hosts', async ({
  page,
  context,
}) => {
  await page.goto('/privacy-policy')
  await page.getByRole('button', { name: /theme/i }).click()
  await page.goto('/register')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
  expect(await context.cookies()).toEqual([])
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(page.getByRole('button', { name: 'Konto erstellen' })).toBeVisible()
  expect(await context.cookies()).toMatchObject([{ name: 'language', value: 'de' }])
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
  expect(await context.cookies()).toEqual([])
})

test('what a logout leaves in the browser is what the privacy policy says', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Priska')
  await page.goto('/')
  await page.getByRole('button', { name: /theme/i }).click()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English')
  await page.locator('[data-first-steps]').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  const kept = await page.evaluate(() =>
    Object.entries(localStorage).filter(([, value]) => value !== 'string:[]'),
  )
  expect(kept.map(([name]) => name).toSorted()).toEqual(
    [`presale.firstSteps.${session.user.id}`, 'presale.language', 'presale.theme'].toSorted(),
  )
  await page.goto('/privacy-policy')
  for (const words of [
    'the theme and the language that you chose',
    'that you dismissed the first steps, stored with your account number',
    'the last twenty that you sent with a wallet in this browser',
  ]) {
    await expect(main(page)).toContainText(words)
  }
})

test.describe('with scripts off', () => {
  test.use({ javaScriptEnabled: false })

  test('are whole, with their links', async ({ page, product }) => {
    for (const { path, title, heading } of openPages) {
      await page.goto(path)
      await expect(page).toHaveTitle(`${title} · ${SITE}`)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      if (path === '/info') await expectFacts(page)
      if (path === '/terms') await expectTerms(page, product.address)
      if (path === '/privacy-policy') await expectPrivacy(page, product.address)
      await expect(page.getByRole('contentinfo')).toContainText('© 2022 HUH Token')
      await expect(page.getByRole('button', { name: /theme|menu|Dismiss/ })).toHaveCount(0)
      await takePictures(page, `no-script${path.replace('/', '-')}`)
    }
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms and Conditions' }).click()
    await expect(page).toHaveTitle(`Terms and Conditions · ${SITE}`)
  })

  test('a page that needs scripts shows a notice, and links to those that do not', async ({
    page,
  }) => {
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'This page needs JavaScript' })).toBeVisible()
    await page.getByRole('link', { name: 'Info' }).first().click()
    await expectFacts(page)
  })

  test('a wrong address has a page that helps', async ({ page }) => {
    const reply = await page.goto(WRONG_ADDRESS)
    expect(reply?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await page.getByRole('link', { name: 'About the presale' }).click()
    await expectFacts(page)
  })
})

test('a wrong address has a page that helps, and the status of one', async ({ page }) => {
  const reply = await page.goto(WRONG_ADDRESS)
  expect(reply?.status()).toBe(404)
  await expect(page).toHaveTitle(`Page not found · ${SITE}`)
  await takePictures(page, 'not-found')
  await page.getByRole('link', { name: 'Go to login' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
})

test('describe themselves for search engines and previews', async ({ request, product }) => {
  const read = async (path: string) => (await request.get(path)).text()
  const content = (html: string, mark: string) =>
    new RegExp(`<[^>]*${mark}[^>]*(?:content|href)="([^"]*)"`).exec(html)?.[1]
  const descriptions = new Set<string | undefined>()
  for (const { path, title } of openPages) {
    const html = await read(path)
    expect(content(html, 'og:title')).toBe(`${title} · ${SITE}`)
    expect(content(html, 'rel="canonical"')).toBe(product.address + path)
    expect(content(html, 'og:url')).toBe(product.address + path)
    expect(content(html, 'name="robots"')).toBeUndefined()
    descriptions.add(content(html, 'name="description"'))
    const picture = content(html, 'og:image') ?? ''
    expect(picture.startsWith(`${product.address}/brand/`)).toBe(true)
    expect(content(html, 'twitter:image')).toBe(picture)
    const reply = await request.get(picture)
    expect(reply.headers()['content-type']).toBe('image/png')
  }
  expect(descriptions.size).toBe(openPages.length)
  expect(content(await read('/account'), 'name="robots"')).toBe('noindex')
  expect(content(await read('/'), 'rel="canonical"')).toBe(`${product.address}/info`)

  expect(await read('/robots.txt')).toContain(`Sitemap: ${product.address}/sitemap.xml`)
  const sitemap = await read('/sitemap.xml')
  for (const { path } of openPages)
    expect(sitemap).toContain(`<loc>${product.address}${path}</loc>`)
  expect(sitemap).not.toContain('/account')
  expect(JSON.parse(await read('/site.webmanifest'))).toMatchObject({ name: SITE })
})

test('are sent compressed, and only where they have changed', async ({ product }) => {
  const ask = (headers: Record<string, string>) => fetch(`${product.address}/info`, { headers })
  const packed = await ask({ 'accept-encoding': 'gzip, br' })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(packed.headers.get('cache-control')).toBe('no-cache')
  const plain = await ask({ 'accept-encoding': 'identity' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe(await packed.text())
  const refused = await ask({ 'accept-encoding': 'br;q=0' })
  expect(refused.headers.get('content-encoding')).toBeNull()
  const etag = packed.headers.get('etag') ?? ''
  expect((await ask({ 'if-none-match': etag })).status).toBe(304)
})
