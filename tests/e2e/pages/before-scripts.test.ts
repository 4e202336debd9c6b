import { expect, type Page } from '@playwright/test'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { toastOf } from '#tests/e2e/kit/account.ts'
import { storeSession } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

const forms = [
  { path: '/login', labels: ['Email', 'Password'], button: 'Login' },
  { path: '/register', labels: ['First name', 'Phone number'], button: 'Create Account' },
  { path: '/forgot-password', labels: ['Email'], button: 'Send Password Reminder' },
]
const readable = ['/info', '/terms', '/privacy-policy']

/** What remains when fonts arrive; browsers consider five times as much still good. */
const SHIFT_MAX = 0.02

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Edda')
  await registerPerson(product.address, person)
})

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** Keeps the page's scripts back, as a slow network does, until the result is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Adds up, in the browser, how far things move by themselves. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries().map((entry) => (entry as unknown as { value: number }).value)
      const shift = Number(sessionStorage.getItem('shift')) + shifts.reduce((a, b) => a + b, 0)
      sessionStorage.setItem('shift', String(shift))
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Sends the second half of the login page only once `rest` is there. */
async function serveInHalves(page: Page, product: string, rest: Promise<void>): Promise<void> {
  const html = await (await fetch(`${product}/login`)).text()
  const half = html.indexOf('</form>')
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.write(html.slice(0, half))
    void rest.then(() => response.end(html.slice(half)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await page.route('**/login', (route) => route.continue({ url: `http://127.0.0.1:${port}/login` }))
  page.once('close', () => server.close())
}

test('a page that arrives in two pieces is drawn at once, so that nothing moves', async ({
  page,
  product,
}) => {
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>()
  await serveInHalves(page, product.address, rest)
  await page.setViewportSize({ width: 375, height: 812 })
  await recordShifts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeAttached()
  const isDrawn = await page.evaluate(() => {
    const drawn = new Promise((resolve) => requestAnimationFrame(() => resolve(true)))
    return Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, 500, false))])
  })
  expect.soft(isDrawn).toBe(false)
  sendRest()
  await expect(heading).toBeInViewport()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  const shift = await page.evaluate(() => Number(sessionStorage.getItem('shift')))
  expect(shift).toBeLessThan(SHIFT_MAX)
})

test('what is entered before the scripts are there stays', async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/register', { waitUntil: 'commit' })
  await field(page, 'First name').fill('Edda')
  await page.getByRole('checkbox').check()
  await field(page, 'Purchase amount').fill('250')
  await field(page, 'Last name').fill('')
  await field(page, 'Last name').press('E')
  release()
  // Sending shows which fields the page knows: it calls the others missing.
  await expect(async () => {
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true', { timeout: 1000 })
  }).toPass()
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(2)
  await expect(field(page, 'First name')).toHaveValue('Edda')
  await expect(field(page, 'Last name')).toHaveValue('E')
  await expect(field(page, 'Purchase amount')).toHaveValue('250')
  await expect(page.getByRole('checkbox')).toBeChecked()
})

test('a form that is sent before the scripts are there is sent once they are', async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await field(page, 'Email').fill(person.email)
  await field(page, 'Password').fill(person.password)
  await field(page, 'Password').press('Enter')
  expect(new URL(page.url()).search).toBe('')
  release()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(toastOf(page, 'Successfully logged in')).toBeVisible()
})

test('a logged-in user sees no form on the way to another page', async ({ page }) => {
  await storeSession(page, person)
  const release = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(page.locator('main form')).toBeHidden()
  release()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a language and a theme that are chosen before the scripts are there are kept', async ({
  page,
}) => {
  const release = await holdScripts(page)
  await page.goto('/register', { waitUntil: 'commit' })
  await field(page, 'First name').fill('Edda')
  await page.getByRole('button', { name: 'Switch theme (now dark)' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'blue')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Konto erstellen' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Sprache' })).toHaveValue('de')
  await expect(field(page, 'Vorname')).toHaveValue('Edda')
  // From now on the button is the page's own: a press switches once.
  await page.getByRole('button', { name: 'Farbschema wechseln (jetzt blau)' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Farbschema wechseln (jetzt dunkel)' }).click()
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'blue')
})

test('a language that a logged-in user chooses before the scripts are there is kept', async ({
  page,
}) => {
  await storeSession(page, person)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'ÜBERSICHT' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Sprache' })).toHaveValue('de')
})

test('a page comes in the language that was chosen, before its scripts', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  const release = await holdScripts(page)
  await page.goto('/no-such-page', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Seite nicht gefunden' })).toBeVisible()
  await page.goto('/register', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Konto erstellen' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await field(page, 'Vorname').fill('Edda')
  release()
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English')
  await expect(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible()
  await expect(field(page, 'First name')).toHaveValue('Edda')
  const reply = await page.reload()
  expect(await reply?.text()).toContain('<html lang="en"')
})

for (const { language, name } of [
  { language: 'English', name: 'Language' },
  { language: 'Deutsch', name: 'Sprache' },
]) {
  test(`nothing moves while a page comes to life in ${language}`, async ({ page }) => {
    await page.setViewportSize({ width: 412, height: 823 })
    await page.goto('/login')
    await page.getByRole('combobox', { name: 'Language' }).selectOption(language)
    await expect(page.getByRole('combobox', { name })).toBeVisible()
    await page.getByRole('button', { name: /theme|Farbschema/ }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'blue')
    await recordShifts(page)
    for (const path of [...forms.map((form) => form.path), ...readable]) {
      const release = await holdScripts(page)
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.evaluate(() => new Promise(requestAnimationFrame))
      release()
      // The server renders the other theme: the button names this one once the page is hydrated.
      await expect(page.getByRole('button', { name: /now blue|jetzt blau/ })).toBeVisible()
      await expect(page.getByRole('combobox', { name })).toBeVisible()
      const shift = await page.evaluate(() => Number(sessionStorage.getItem('shift')))
      expect(shift, `the layout shift of ${path}`).toBeLessThan(SHIFT_MAX)
      await page.evaluate(() => sessionStorage.removeItem('shift'))
    }
  })
}

test.describe('with scripts off', () => {
  test.use({ javaScriptEnabled: false })

  test('forms are seen, with a word on what is missing', async ({ page }) => {
    for (const { path, labels, button } of forms) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'This page needs JavaScript' })).toBeVisible()
      for (const label of labels) await expect(field(page, label)).toBeVisible()
      await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
    }
    // The browser itself would put the password into the address.
    const reply = await page.goto('/login')
    expect(reply?.headers()['content-security-policy']).toContain("form-action 'none'")
  })
})

test('what is done already takes as much room before the scripts as with them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  const isDone = { is_email_verified: true, paid_amount_fiat: 250 }
  await page.route(/\/api\/v1\/users\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...isDone } })
  })
  await storeSession(page, person)
  await page.evaluate((done) => {
    const user: object = JSON.parse(localStorage.getItem('presale.user')?.slice(7) ?? '{}')
    localStorage.setItem('presale.user', `string:${JSON.stringify({ ...user, ...done })}`)
  }, isDone)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  const balance = page.getByRole('heading', { name: 'Token Balance' })
  await expect(balance).toBeVisible()
  await page.evaluate(async () => void (await document.fonts.ready))
  const before = await balance.boundingBox()
  release()
  await expect(page.getByText('Done', { exact: true })).toHaveCount(2)
  expect((await balance.boundingBox())?.y).toBe(before?.y)
})

test('letters beyond Latin 1 are of the same face, which is fetched for them alone', async ({
  page,
}) => {
  const faces: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') faces.push(new URL(request.url()).pathname)
  })
  await page.goto('/register')
  const further = page.waitForRequest(/inter-latin-ext-/)
  await field(page, 'First name').fill('Łukasz')
  await further
  expect(faces.filter((face) => face.includes('inter-')).length, faces.join('\n')).toBe(2)
})
