import { expect, type Locator, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import {
  countMailedLinks,
  excuseStatus,
  expectBackLeadsTo,
  listenToCalls,
  toastOf,
} from '#tests/e2e/kit/account.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { chooseByKeyboard, enter, tabTo } from '#tests/e2e/kit/pages.ts'
import { logInPerson, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures, viewports } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const create = (page: Page) => page.getByRole('button', { name: 'Create Account' })
const phone = (page: Page) => page.getByLabel('Phone number')

/** Everything that is required, which excludes the phone number. */
async function fillIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First name').fill(person.first_name)
  await page.getByLabel('Last name').fill(person.last_name)
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await chooseByKeyboard(page, 'Nationality', 'germany', /Germany/)
  await page.getByLabel('Purchase amount').fill('250')
  await page.getByRole('checkbox').check()
}

async function edges(part: Locator): Promise<{ top: number; bottom: number }> {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It is not on the page.')
  return { top: box.y, bottom: box.y + box.height }
}

test('three groups hold the fields in order, known to the browser’s autofill', async ({ page }) => {
  await page.goto('/register')
  await expect(page).toHaveTitle('Register · HUH Token presale')
  const form = page.getByRole('main').locator('form')
  await expect(form).toMatchAriaSnapshot(`
    - group "Your account":
      - textbox "First name"
      - textbox "Last name"
      - textbox "Email"
      - textbox "Password"
    - group "About you":
      - button /Country code/
      - textbox "Phone number"
      - button /Nationality/
    - group "Purchase Details":
      - button /Payment currency/
      - textbox "Purchase amount"
    - checkbox "I agree to the Terms and Conditions and Privacy Policy"
    - button "Create Account"
    - paragraph:
      - link "Sign in"
  `)
  const purposes = {
    'First name': 'given-name',
    'Last name': 'family-name',
    Email: 'email',
    Password: 'new-password',
    'Phone number': 'tel-national',
  }
  for (const [label, purpose] of Object.entries(purposes)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('autocomplete', purpose)
  }
  await expect(page.getByRole('group', { name: 'About you' })).toHaveAccessibleDescription(
    'Who may buy differs by country, so nationality is asked for.',
  )
  await page.getByLabel('First name').focus()
  await expect(page.locator('select[autocomplete=tel-country-code]')).toHaveCount(1)
  await expect(page.locator('select[autocomplete=country]')).toHaveCount(1)

  await expect(page.getByRole('button', { name: 'Country code' })).toContainText('+44')
  await expect(page.getByLabel('Purchase amount')).toHaveValue('0')
  await expect(page.getByRole('checkbox')).not.toBeChecked()
  await expect(create(page)).toBeEnabled()
  const terms = form.getByRole('link', { name: 'Terms and Conditions' })
  await expect(terms).toHaveAttribute('href', '/terms')
  const privacy = form.getByRole('link', { name: 'Privacy Policy' })
  await expect(privacy).toHaveAttribute('href', '/privacy-policy')
  await expect(form.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
  await takePictures(page, 'register')
})

test('sending the empty form shows every error at its field, and nothing jumps', async ({
  page,
}) => {
  await page.goto('/register')
  const calls = listenToCalls(page)
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Nationality' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^\$1,000/ })).toBeVisible()
    const heightBefore = await documentHeight(page)
    await create(page).click()
    for (const label of ['First name', 'Last name', 'Email']) {
      const field = page.getByLabel(label, { exact: true })
      await expect(field).toHaveAccessibleDescription("Can't be empty")
    }
    await expect(page.getByLabel('First name')).toBeFocused()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /Can't be empty/,
    )
    await expect(page.getByRole('button', { name: 'Nationality' })).toHaveAccessibleDescription(
      /Can't be empty/,
    )
    await expect(phone(page)).not.toHaveAttribute('aria-invalid')
    await expect(page.getByLabel('Purchase amount')).toHaveAccessibleDescription(
      'Must be more than 0.01',
    )
    await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(
      'Must accept terms and conditions',
    )
    await expect(page.getByRole('checkbox')).toHaveCSS('border-color', await errorColour(page))
    expect(await documentHeight(page)).toBe(heightBefore)
  }
  await takePictures(page, 'register-errors')
  await page.getByLabel('Email', { exact: true }).fill('nobody@example')
  await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
    'Email is invalid',
  )
  await page.getByLabel('Purchase amount').fill('')
  await expect(page.getByLabel('Purchase amount')).toHaveAccessibleDescription("Can't be empty")
  await page.getByLabel('Purchase amount').fill('0.01')
  await expect(page.getByLabel('Purchase amount')).not.toHaveAttribute('aria-invalid')
  await page.getByRole('checkbox').check()
  await expect(page.getByText('Must accept terms and conditions')).toHaveCount(0)
  expect(calls.filter((path) => path.startsWith('/auth'))).toEqual([])
})

test('every error is directly below its field, and the rules of the password below that', async ({
  page,
}) => {
  await page.goto('/register')
  await expect(page.getByRole('button', { name: /^\$1,000/ })).toBeVisible()
  const password = page.getByLabel('Password', { exact: true })
  const rules = page.getByRole('list').filter({ hasText: '8 to 32 characters' })
  const rulesGap = async () => (await edges(rules)).top - (await edges(password)).bottom
  const gapsAlone: number[] = []
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    gapsAlone.push(await rulesGap())
  }
  expect(Math.max(...gapsAlone), `${gapsAlone}`).toBeLessThan(10)
  expect(Math.min(...gapsAlone), `${gapsAlone}`).toBeGreaterThan(0)

  await create(page).click()
  for (const [index, viewport] of viewports.entries()) {
    await page.setViewportSize(viewport)
    const gaps: number[] = []
    for (const label of ['First name', 'Last name', 'Email', 'Password', 'Purchase amount']) {
      const field = page.getByLabel(label, { exact: true })
      const error = page.locator(`[id="${await field.getAttribute('id')}-error"]`)
      await expect(error).toHaveText(/Can't be empty|Must be more/)
      gaps.push(Math.round((await edges(error)).top - (await edges(field)).bottom))
    }
    expect(Math.max(...gaps) - Math.min(...gaps), `${gaps}`).toBeLessThanOrEqual(1)
    expect(Math.max(...gaps), `${gaps}`).toBeLessThan(10)
    const error = await edges(page.locator(`[id="${await password.getAttribute('id')}-error"]`))
    const below = (await edges(rules)).top - error.bottom
    expect(below, 'the rules are right below the error').toBeGreaterThan(0)
    expect(below).toBeLessThan(10)
    const moved = (await rulesGap()) - (gapsAlone[index] ?? 0)
    expect(moved, 'the rules gave way to one line').toBeLessThanOrEqual(
      error.bottom - error.top + below,
    )
  }
  await expect(password).toHaveAccessibleDescription(/^Can't be empty 8 to 32 characters/)
})

test('an error shows once its field was left, not before', async ({ page }) => {
  await page.goto('/register')
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('short')
  await expect(password).not.toHaveAttribute('aria-invalid')
  await expect(page.getByText('A letter').locator('.lucide-check')).toBeVisible()
  await password.blur()
  await expect(password).toHaveAccessibleDescription(/Minimum 8 character/)
  await expect(page.getByLabel('First name')).not.toHaveAttribute('aria-invalid')
})

test('every country is there with flag and dial code, the preferred ones first', async ({
  page,
}) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Country code' }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.nth(240)).toBeAttached()
  await expect(options.locator('img')).toHaveCount(await options.count())
  const texts = await options.allInnerTexts()
  expect(texts.slice(0, 5).map((text) => text.split('\n')[0])).toEqual([
    'Australia',
    'India',
    'United Arab Emirates',
    'United Kingdom',
    'United States',
  ])
  expect(texts.filter((text) => !/\+\d{1,3}$/.test(text.trim()))).toEqual([])
  await takePictures(page, 'register-countries', 'window')

  for (const [typed, found] of [
    ['+49', /Germany/],
    ['germ', /Germany/],
    ['côte d', /Côte d/],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(typed)
    await expect(options.first()).toHaveText(found)
  }
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('no such country')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a phone number has to exist in its country', async ({ page }) => {
  await page.goto('/register')
  await phone(page).fill('079')
  await phone(page).blur()
  await expect(phone(page)).toHaveAccessibleDescription(
    'Enter a phone number that exists in that country',
  )
  await phone(page).fill('07911 123456')
  await expect(phone(page)).not.toHaveAttribute('aria-invalid')
  await chooseByKeyboard(page, 'Country code', 'iceland', /Iceland/)
  await expect(phone(page)).toHaveAttribute('aria-invalid')
  await phone(page).fill('')
  await expect(phone(page)).not.toHaveAttribute('aria-invalid')
})

test('a registration by keyboard alone leads to its purchase, with a mail on the way', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const person = somebody('Karin')
  await page.goto('/terms')
  await page.goto('/register')
  await tabTo(page, page.getByLabel('First name'))
  await page.keyboard.type(person.first_name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.last_name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.password)
  await tabTo(page, phone(page))
  await page.keyboard.type('07911 123456')
  await page.keyboard.press('Tab')
  await chooseByKeyboard(page, 'Nationality', 'arab em', /United Arab Emirates/)
  await expect(page.getByRole('button', { name: 'Nationality' })).toBeFocused()

  const stage = await callProduct(product.address, saleContract.getActiveStage, {})
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const tokens = page.getByRole('dialog').getByRole('option')
  for (const { token_id: id, percentage } of stage.bonuses.payment_tokens) {
    const short = id.toUpperCase().split('-')[0] ?? ''
    await expect(tokens.filter({ hasText: short }).first()).toContainText(`+${percentage}%`)
  }
  await page.keyboard.type('litecoin')
  await expect(tokens).toHaveCount(1)
  await page.keyboard.press('Enter')
  const presets = page.getByRole('toolbar', { name: /amount/i }).getByRole('button')
  await expect(presets).toHaveText(
    stage.bonuses.tiered_fiat.map(
      ({ amount, percentage }) =>
        new RegExp(`\\$${amount.toLocaleString('en')}.*\\+${percentage}%`, 's'),
    ),
  )
  await tabTo(page, presets.first())
  await page.keyboard.press('Enter')
  const amount = String(stage.bonuses.tiered_fiat[0]?.amount)
  await expect(page.getByLabel('Purchase amount')).toHaveValue(amount)
  await tabTo(page, page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  await tabTo(page, create(page))
  await page.keyboard.press('Enter')

  await page.waitForURL((url) => url.pathname === '/buy')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    usd_amount: amount,
    token_id: 'ltc',
  })
  await expect(toastOf(page, 'Successfully registered')).toBeVisible()
  const { user } = await logInPerson(product.address, person)
  expect(user).toMatchObject({ mobile: '+44 7911123456', nationality: 'AE' })
  await expect.poll(() => countMailedLinks(product.address, person.email, '/verify-email')).toBe(1)
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Resend .* \(\d+\)$/ })).toBeDisabled()
  await page.goBack()
  await expectBackLeadsTo(page, '/terms')
})

test('what is typed before the token list is painted is searched for', async ({ page }) => {
  await page.goto('/register')
  await tabTo(page, page.getByLabel('First name'))
  await tabTo(page, page.getByRole('button', { name: /currency/i }))
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0
  })
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    () => document.querySelector('[role="dialog"] [role="option"]') !== null,
    null,
    { polling: 20 },
  )
  await page.keyboard.type('litecoin')
  await page.waitForFunction(
    () => document.querySelectorAll('[role="dialog"] [role="option"]').length === 1,
    null,
    { polling: 20 },
  )
})

test('without a phone number the payload has no mobile; the referrer is in it', async ({
  page,
}) => {
  const person = somebody('Nina')
  await page.goto('/register?referral=whoever')
  await fillIn(page, person)
  const request = page.waitForRequest('**/api/v1/auth/register')
  await create(page).click()
  expect((await request).postDataJSON()).toEqual({
    ...person,
    nationality: 'DE',
    language: 'en',
    referrals: { referred_by: 'whoever' },
  })
  await page.waitForURL((url) => url.pathname === '/buy')
})

test('the terms open beside the form, and whoever registers from there is a friend as well', async ({
  page,
}) => {
  // Also if the link is pressed before the page's scripts are there.
  await page.route('**/assets/*.js', () => {})
  await page.goto('/register?referral=whoever', { waitUntil: 'commit' })
  const opened = page.waitForEvent('popup')
  await page.getByRole('main').getByRole('link', { name: 'Terms and Conditions' }).click()
  const terms = await opened
  await expect(terms).toHaveURL('/terms')
  await terms.goto('/register')
  await fillIn(terms, somebody('Lisa'))
  const request = terms.waitForRequest('**/api/v1/auth/register')
  await create(terms).click()
  expect((await request).postDataJSON()).toMatchObject({ referrals: { referred_by: 'whoever' } })
  await terms.waitForURL((url) => url.pathname === '/buy')
})

test('whoever looks around before registering is still the friend of who sent the link', async ({
  page,
}) => {
  await page.goto('/register?referral=whoever')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/info')
  await page.goto('/login')
  await page.getByRole('link', { name: 'Register an account' }).click()
  await expect(page).toHaveURL('/register')
  await fillIn(page, somebody('Lena'))
  const request = page.waitForRequest('**/api/v1/auth/register')
  await create(page).click()
  expect((await request).postDataJSON()).toMatchObject({ referrals: { referred_by: 'whoever' } })
  await page.waitForURL((url) => url.pathname === '/buy')

  await test.step('who registers next in that tab is nobody’s friend', async () => {
    // Whatever was not asked for yet would be refused once the session is over.
    await page.goto('/account')
    await expect(page.getByText('This device')).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('link', { name: 'Register an account' }).click()
    await fillIn(page, somebody('Lore'))
    const next = page.waitForRequest('**/api/v1/auth/register')
    await create(page).click()
    expect((await next).postDataJSON()).not.toHaveProperty('referrals')
    await page.waitForURL((url) => url.pathname === '/buy')
  })
})

test('whoever has to log somebody out first is still the friend of who sent the link', async ({
  page,
  product,
}) => {
  const other = somebody('Olaf')
  await registerPerson(product.address, other)
  await enter(page, other, '/register?referral=whoever')
  await page.waitForURL((url) => url.pathname === '/')
  // Whatever was not asked for yet would be refused once the session is over.
  await page.goto('/account')
  await expect(page.getByText('This device')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Register an account' }).click()
  await fillIn(page, somebody('Lotte'))
  const request = page.waitForRequest('**/api/v1/auth/register')
  await create(page).click()
  expect((await request).postDataJSON()).toMatchObject({ referrals: { referred_by: 'whoever' } })
  await page.waitForURL((url) => url.pathname === '/buy')
})

test('the mails of who registers in German are German', async ({ page, product }) => {
  const person = somebody('Gerda')
  await page.goto('/register')
  await fillIn(page, person)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await page.getByRole('button', { name: 'Konto erstellen' }).click()
  await page.waitForURL((url) => url.pathname === '/buy')
  expect((await logInPerson(product.address, person)).user.language).toBe('de')
})

test('a refused registration shows its own message, and an error of the server at its field', async ({
  page,
  product,
  faults,
}) => {
  const person = somebody('Egon')
  await registerPerson(product.address, person)
  await page.goto('/register')
  await fillIn(page, person)
  await create(page).click()
  await expect(toastOf(page, 'Error while registering')).toHaveRole('alert')
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toHaveAccessibleDescription('Email is already registered')
  await expect(email).toBeFocused()
  await email.fill(`x${person.email}`)
  await expect(email).not.toHaveAttribute('aria-invalid')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password)

  const message = 'Enter a phone number that exists in that country'
  await page.route('**/api/v1/auth/register', (route) =>
    route.fulfill({
      status: 400,
      json: {
        code: 400,
        message: 'Some fields are incorrect',
        reason: 'InvalidInput',
        request_id: 'none',
        errors: [{ path: 'mobile', message }],
      },
    }),
  )
  await phone(page).fill('7911123456')
  await create(page).click()
  await expect(phone(page)).toHaveAccessibleDescription(message)
  await expect(phone(page)).toBeFocused()
  excuseStatus(faults, 409)
  excuseStatus(faults, 400)
})

async function documentHeight(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight)
}

/** As the browser computes the theme's colour for errors. */
async function errorColour(page: Page): Promise<string> {
  return page.evaluate(() => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--error)'
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })
}

test('a list opens that was pressed while its code arrived', async ({ page }) => {
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/select-field-*.js', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto('/register')
  const nationality = page.getByRole('button', { name: 'Nationality' })
  await nationality.hover()
  const waiting = await nationality.elementHandle()
  await page.mouse.down()
  released.resolve()
  await waiting?.waitForElementState('hidden')
  await page.mouse.up()
  await expect(page.getByRole('option', { name: /Germany/ })).toBeVisible()
})
