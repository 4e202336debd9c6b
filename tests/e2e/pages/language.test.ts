import { expect, type Page } from '@playwright/test'

import { excuseStatus } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { expectNoOverhang, expectWithinCards } from '#tests/e2e/kit/layout.ts'
import { enter, logIn } from '#tests/e2e/kit/pages.ts'
import { logInPerson, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Liese')
  await registerPerson(product.address, person)
})

const language = (page: Page) => page.getByRole('combobox', { name: /^(Language|Sprache)$/ })

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' })

  test('a visitor reads English until another language is chosen', async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(language(page)).toHaveValue('en')
  })
})

test('German can be chosen, is announced, and stays for the next visit', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('kept@example.com')
  await language(page).focus()
  await language(page).selectOption('Deutsch')
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page).toHaveTitle('Anmelden · Presale von HUH Token')
  await expect(page.getByText('Diese Website ist jetzt auf Deutsch')).toBeVisible()
  // What had been entered is still there, and the keyboard is where it was.
  await expect(page.getByRole('textbox', { name: 'E-Mail-Adresse' })).toHaveValue(
    'kept@example.com',
  )
  await expect(language(page)).toBeFocused()
  expect(await page.evaluate(() => localStorage.getItem('presale.language'))).toBe('string:de')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  await expect(page.getByText('Diese Website ist jetzt auf Deutsch')).toBeHidden()
  await language(page).selectOption('English')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test("the sale's own texts follow at once, without a reload", async ({ page }) => {
  // By itself the page asks for all translations only after these seconds.
  await page.addInitScript((lateMs) => {
    const later = window.setTimeout
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => (ms === lateMs ? 0 : later(run, ms)),
    })
  }, 3000)
  await page.goto('/login')
  await expect(page.getByRole('contentinfo')).toContainText('Where influence is currency')
  await language(page).selectOption('Deutsch')
  await expect(page.getByRole('contentinfo')).toContainText('Wo Einfluss Währung ist')
})

test('the mails of whoever is logged in follow the language of the page', async ({
  page,
  product,
  faults,
}) => {
  const reader = somebody('Mia')
  await registerPerson(product.address, reader)
  await enter(page, reader)
  await language(page).selectOption('Deutsch')
  const mailLanguage = async () => (await logInPerson(product.address, reader)).user.language
  await expect.poll(mailLanguage).toBe('de')
  await page.route('**/api/v1/users/*', (route) => route.fulfill({ status: 503, json: {} }))
  await language(page).selectOption('English')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByText('The language of our emails could not be changed')).toBeVisible()
  expect(await mailLanguage()).toBe('de')
  excuseStatus(faults, 503)
})

test('mails follow the language that was chosen before the login', async ({ page, product }) => {
  const reader = somebody('Tove')
  await registerPerson(product.address, reader)
  const mailLanguage = async () => (await logInPerson(product.address, reader)).user.language
  await page.goto('/login')
  await logIn(page, reader.email, reader.password)
  await page.waitForURL((url) => url.pathname === '/')
  expect(await mailLanguage()).toBe('en')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  await language(page).selectOption('Deutsch')
  await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(reader.email)
  await page.getByLabel('Passwort', { exact: true }).fill(reader.password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
  expect(await mailLanguage()).toBe('de')
})

test('what the server refuses is said in the language of the page', async ({ page, faults }) => {
  await page.goto('/login')
  await language(page).selectOption('Deutsch')
  await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(person.email)
  await page.getByLabel('Passwort', { exact: true }).fill('wrong password 1')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('E-Mail-Adresse oder Passwort ist falsch')
  await language(page).selectOption('English')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('Incorrect email or password')
  excuseStatus(faults, 401)
})

test('every page is German once it is chosen, and amounts are written as ever', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await enter(page, person)
  await language(page).selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const pages = [
    ['/', 'ÜBERSICHT'],
    ['/buy', 'HUH kaufen'],
    ['/account', 'PROFIL'],
    ['/referrals', 'Empfehlungen'],
    ['/info', 'Der Presale von HUH Token'],
    ['/terms', 'Nutzungsbedingungen'],
    ['/privacy-policy', 'Datenschutzerklärung'],
    ['/sandbox', 'Testumgebung'],
    ['/no-such-page', 'Seite nicht gefunden'],
  ] as const
  for (const [path, heading] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await takePictures(page, `german${path.replace('/', '-')}`)
    // The other theme has the same colours in every language.
    await expectAccessible(page, `${path} in German`, ['dark'])
  }
  await page.goto('/buy')
  await expect(page.getByRole('main')).toContainText('$0.')
  await page.goto('/account')
  await expect(
    page.getByText(/Zuletzt verwendet: \d{1,2}\. \p{L}+|Zuletzt verwendet: \d\d\.\d\d\./u).first(),
  ).toBeVisible()
})

test('longer words fit into the smallest window', async ({ page }) => {
  await page.goto('/login')
  await language(page).selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/login', '/register', '/forgot-password', '/info', '/terms']) {
    await page.goto(path)
    await expect(page.getByRole('combobox', { name: 'Sprache' })).toBeVisible()
    await expectNoOverhang(page, `${path} in German at 320 pixels`)
  }
})

test('longer words stay within their card in the smallest window', async ({ page }) => {
  await enter(page, person)
  await language(page).selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/referrals')
  await expect(page.getByRole('button', { name: 'So funktioniert es' })).toBeVisible()
  await expectWithinCards(page, 'the referrals in German at 320 pixels')
})

test('where the texts cannot be fetched, the page shows an error and stays as it is', async ({
  page,
  faults,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await page.route(/\/assets\/de-[^/]*\.js$/, (route) => route.abort())
  await language(page).selectOption('Deutsch')
  await expect(page.getByText('That language could not be loaded')).toBeVisible()
  await expect(language(page)).toHaveValue('en')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  expect(faults.splice(0)).not.toEqual([])
})
