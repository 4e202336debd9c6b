import { expect, type Page, type Route } from '@playwright/test'

import {
  excuseStatus,
  listenToCalls,
  mailedLink,
  readStored,
  toastOf,
} from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { chooseByKeyboard, enter } from '#tests/e2e/kit/pages.ts'
import { logInPerson, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person

test.beforeEach(async ({ product, page }) => {
  person = somebody('Paula')
  await registerPerson(product.address, person)
  await enter(page, person)
})

const profile = (page: Page) => page.getByRole('form', { name: 'Your Profile' })
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(profile(page)).toBeVisible()
}

test('the profile can be saved once something has changed, and sends that alone', async ({
  page,
  product,
}) => {
  await openAccount(page)
  await expect(page).toHaveTitle('Account · HUH Token presale')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PROFILE')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Your Profile')
  await expect(profile(page)).toMatchAriaSnapshot(`
    - textbox "First name"
    - textbox "Last name"
    - button /Nationality/
    - button /Country code/
    - textbox "Phone number"
    - textbox "Email"
    - button "Save Changes" [disabled]
  `)
  const email = profile(page).getByLabel('Email', { exact: true })
  await expect(email).toHaveValue(person.email)
  await expect(email).not.toBeEditable()
  await expect(save(page)).toBeDisabled()

  const firstName = page.getByLabel('First name')
  await firstName.fill('Paulina')
  await expect(save(page)).toBeEnabled()
  await firstName.fill(person.first_name)
  await expect(save(page)).toBeDisabled()
  await firstName.fill(' Paulina ')
  await page.getByLabel('Phone number').fill('07911 123456')
  const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
  await save(page).click()
  expect((await request).postDataJSON()).toEqual({
    first_name: 'Paulina',
    mobile: '+44 7911123456',
  })
  await expect(toastOf(page, 'Successfully updated user')).toBeVisible()
  await expect(save(page)).toBeDisabled()
  await expect(firstName).toHaveValue('Paulina')
  await expect(page.getByLabel('Phone number')).toHaveValue('7911123456')
  expect((await readStored(page))['user']).toContain('"first_name":"Paulina"')

  await chooseByKeyboard(page, 'Nationality', 'canada', /Canada/)
  await page.getByLabel('Phone number').fill('')
  await page.getByLabel('Last name').fill('')
  await save(page).click()
  await expect(page.getByLabel('Last name')).toHaveAccessibleDescription("Can't be empty")
  await page.getByLabel('Last name').fill('Other')

  // What is typed while it saves stays, and can be saved as well.
  const { promise: typed, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/v1/users/*', async (route) => {
    if (route.request().method() === 'PATCH') await typed
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await expect(save(page)).toHaveAttribute('aria-busy', 'true')
  await firstName.fill('Pauline')
  goOn()
  await expect(save(page)).not.toHaveAttribute('aria-busy', 'true')
  await expect(firstName).toHaveValue('Pauline')
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await save(page).click()
  await saved
  await expect(save(page)).toBeDisabled()
  const { user } = await logInPerson(product.address, person)
  expect(user).toMatchObject({
    first_name: 'Pauline',
    last_name: 'Other',
    nationality: 'CA',
    mobile: null,
  })
})

test('a country code without a number is nothing to save', async ({ page }) => {
  await openAccount(page)
  await chooseByKeyboard(page, 'Country code', 'austral', /Australia.*\+61/)
  await expect(save(page)).toBeDisabled()
  await page.getByLabel('Phone number').fill('412345678')
  await expect(save(page)).toBeEnabled()
  await page.getByLabel('Phone number').fill(' ')
  await expect(save(page)).toBeDisabled()
})

test('what is not saved or sent is reported, and can be tried again', async ({ page, faults }) => {
  await openAccount(page)
  await page.route('**/api/v1/users/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, body: '' })
      : route.fallback(),
  )
  await page.getByLabel('First name').fill('Paulina')
  await save(page).click()
  await expect(toastOf(page, 'Internal server error')).toHaveRole('alert')
  await expect(save(page)).toBeEnabled()
  await expect(page.getByLabel('First name')).toHaveValue('Paulina')
  excuseStatus(faults, 500)

  await page.unroute('**/api/v1/users/*')
  const sayNothing = (route: Route) => route.fulfill({ status: 400, json: {} })
  await page.route('**/api/v1/users/*', sayNothing)
  await save(page).click()
  await expect(toastOf(page, 'Error updating user')).toHaveRole('alert')
  await page.route('**/api/v1/auth/send-verification-email', sayNothing)
  await page.getByRole('button', { name: /^Resend/ }).click()
  await expect(toastOf(page, 'Error sending verification email')).toHaveRole('alert')
  excuseStatus(faults, 400)
})

test('the verification mail is sent again once a minute, as long as it is needed', async ({
  page,
  product,
  faults,
}) => {
  await page.clock.install()
  await page.goto('/account')
  const resend = page.getByRole('button', { name: /^Resend Verification Email/ })
  await expect(resend).toHaveText('Resend Verification Email')
  await page.clock.pauseAt(Date.now() + 60_000)
  await resend.click()
  await expect(toastOf(page, 'Successfully sent verification email')).toBeVisible()
  await expect(resend).toHaveText('Resend Verification Email (60)')
  await expect(resend).toBeDisabled()
  await page.clock.runFor(2000)
  await expect(resend).toHaveText('Resend Verification Email (58)')
  await page.clock.runFor(58_000)
  await expect(resend).toHaveText('Resend Verification Email')
  // The page's clock has been put forward, but the server's has not.
  await resend.click()
  await expect(toastOf(page, 'Too many requests. Try again in a minute')).toBeVisible()
  await expect(resend).toBeDisabled()

  // All tabs share one clock.
  await page.clock.resume()
  const link = await mailedLink(product.address, person.email, '/verify-email')
  const other = await page.context().newPage()
  await other.goto(link)
  await other.waitForURL((url) => url.pathname === '/')
  await expect(resend, 'in the tab that was open before').toHaveCount(0)
  excuseStatus(faults, 429)
})

test('a new password is asked for with the old one, and ends the other sessions', async ({
  page,
  product,
  faults,
}) => {
  const elsewhere = await logInPerson(product.address, person)
  await openAccount(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('form', { name: 'Password' })
  const current = form.getByLabel('Current password')
  const next = form.getByLabel('New password')
  const change = form.getByRole('button', { name: 'Change password' })
  const calls = listenToCalls(page)
  await expect(current).toBeFocused()
  await change.click()
  await expect(current).toHaveAccessibleDescription("Can't be empty")
  await expect(next).toHaveAccessibleDescription(/Can't be empty/)
  await next.fill('nodigitshere')
  await expect(next).toHaveAccessibleDescription(/Must have at least 1 number and 1 letter/)
  expect(calls).not.toContain('/auth/change-password')

  await current.fill('not the password 1')
  await next.fill('another horse 2')
  await change.click()
  await expect(current).toHaveAccessibleDescription('The current password is incorrect')
  await expect(next).toHaveValue('another horse 2')
  await current.fill(person.password)
  await change.click()
  await expect(toastOf(page, 'Successfully changed password')).toBeVisible()
  await expect(form).toHaveCount(0)
  const list = page.getByRole('list', { name: 'Where you are logged in' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  const reply = await fetch(`${product.address}/api/v1/users/${elsewhere.user.id}`, {
    headers: { authorization: `Bearer ${elsewhere.accessToken}` },
  })
  expect(reply.status).toBe(401)
  await logInPerson(product.address, { ...person, password: 'another horse 2' })
  excuseStatus(faults, 400)
})

test('the sessions are listed by device, and ended one by one or all at once', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  await logInPerson(product.address, person)
  await openAccount(page)
  const list = page.getByRole('list', { name: 'Where you are logged in' })
  const rows = list.getByRole('listitem')
  // One of the registration, one of the login by HTTP, one of this browser.
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('Chrome')
  await expect(rows.first()).toContainText('This device')
  await expect(rows.first().getByRole('button')).toHaveCount(0)
  await takePictures(page, 'account')
  await expectAccessible(page, 'account')
  await rows
    .last()
    .getByRole('button', { name: /^Log out/ })
    .click()
  await expect(toastOf(page, 'Successfully logged out that device')).toBeVisible()
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  expect(Object.keys(await readStored(page))).not.toContain('tokens')
  await enter(page, person, '/account')
  await expect(rows).toHaveCount(1)
})

test('everything that is stored can be downloaded as JSON', async ({ page }) => {
  await openAccount(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('my-account.json')
  const text = await (await file.createReadStream()).toArray()
  expect(JSON.parse(Buffer.concat(text).toString())).toMatchObject({
    profile: { email: person.email, first_name: person.first_name },
    sessions: expect.any(Array),
  })
})

test('the account is deleted with the word and the password', async ({ page, product, faults }) => {
  test.setTimeout(120_000)
  await openAccount(page)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await expect(dialog).toContainText('You can never log in to this account again')
  await expect(dialog).toContainText('Claim refunds and set your wallet first')
  await expect(dialog).toContainText('You can delete your account one day after a claim')
  const erase = dialog.getByRole('button', { name: 'Delete my account' })
  await erase.click()
  await expect(dialog.getByLabel('Type DELETE to confirm')).toHaveAccessibleDescription(
    'Type the word DELETE',
  )
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription("Can't be empty")
  await takePictures(page, 'account-delete', 'window')
  await expectAccessible(page, 'the dialog that deletes the account')
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  await dialog.getByLabel('Your password').fill('not the password 1')
  await erase.click()
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription(
    'The current password is incorrect',
  )
  await dialog.getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/login')
  await expect(toastOf(page, 'Your account has been deleted')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeFocused()
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(await readStored(page)).toEqual({ banners: 'string:[]' })
  await expect(logInPerson(product.address, person)).rejects.toThrow('replied 401')
  excuseStatus(faults, 400)
})
