import { expect, type Locator, type Page } from '@playwright/test'

import { appCode, excuseStatus, readStored, toastOf } from '#tests/e2e/kit/account.ts'
import { chooseByKeyboard, tabTo } from '#tests/e2e/kit/pages.ts'
import { logInPerson, type Person, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

const NEW_PASSWORD = 'another horse 2'

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const card = (page: Page) => page.getByRole('region', { name: 'Two-factor login' })

async function register(page: Page, person: Person): Promise<void> {
  await page.goto('/login')
  await press(page, page.getByRole('link', { name: 'Register an account' }))
  await page.waitForURL((url) => url.pathname === '/register')
  await write(page, page.getByLabel('First name'), person.first_name)
  await write(page, page.getByLabel('Last name'), person.last_name)
  await write(page, page.getByLabel('Email', { exact: true }), person.email)
  await write(page, page.getByLabel('Password', { exact: true }), person.password)
  await tabTo(page, button(page, 'Nationality'))
  await chooseByKeyboard(page, 'Nationality', 'united k', /United Kingdom/)
  await write(page, page.getByLabel('Purchase amount'), '250')
  await press(page, page.getByRole('checkbox'), 'Space')
  await press(page, button(page, 'Create Account'))
  await page.waitForURL((url) => url.pathname === '/buy')
}

/** Opens the mail in the sandbox's mailbox and follows its link, which leads to another tab. */
async function verify(page: Page, person: Person): Promise<void> {
  await page.goto('/sandbox')
  await write(page, page.getByLabel('Only emails to'), person.email)
  const mail = page.getByRole('list', { name: 'Emails' }).getByRole('button')
  await expect(mail).toHaveCount(1)
  await press(page, mail)
  await press(page, page.getByRole('radio', { name: 'As an email' }), 'ArrowRight')
  const opened = page.context().waitForEvent('page')
  await press(page, page.getByRole('link', { name: /verify-email/ }))
  const other = await opened
  await expect(toastOf(other, 'Successfully verified user')).toBeVisible()
  await other.close()
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await write(page, page.getByLabel('Email', { exact: true }), email)
  await write(page, page.getByLabel('Password', { exact: true }), password)
  await page.keyboard.press('Enter')
}

async function changePassword(page: Page, person: Person): Promise<void> {
  const form = page.getByRole('form', { name: 'Password' })
  await press(page, button(page, 'Change password'))
  await expect(form.getByLabel('Current password')).toBeFocused()
  await page.keyboard.type(person.password)
  await write(page, form.getByLabel('New password'), NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Successfully changed password')).toBeVisible()
  await expect(button(page, 'Change password'), 'where the form was opened').toBeFocused()
}

async function turnOnTwoFactor(page: Page): Promise<string> {
  await press(page, card(page).getByRole('button', { name: 'Set up' }))
  await expect(page.getByLabel('Your password')).toBeFocused()
  await page.keyboard.press('Tab')
  await press(page, button(page, 'Cancel'))
  await expect(card(page).getByRole('button', { name: 'Set up' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Authentication code')).toBeFocused()
  const copy = card(page).getByRole('button', { name: 'Copy Secret' })
  const secret = (await copy.getAttribute('data-copy-value')) ?? ''
  // The previous time step, so that this one's code is left for the login.
  await page.keyboard.type(appCode(secret, -1))
  await page.keyboard.press('Enter')
  await saveCodes(page)
  return secret
}

/** Reads the recovery codes and confirms that they are saved; the focus comes back to the card. */
async function saveCodes(page: Page): Promise<string[]> {
  await expect(card(page).getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused()
  const codes = page.getByRole('list', { name: 'Save your recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const shown = await codes.allInnerTexts()
  await press(page, page.getByRole('checkbox', { name: 'I have saved them' }), 'Space')
  await press(page, button(page, 'Done'))
  await expect(card(page)).toContainText('10 recovery codes are left.')
  await expect(button(page, 'New recovery codes')).toBeFocused()
  return shown
}

async function renewCodes(page: Page, code: string): Promise<string[]> {
  await press(page, button(page, 'New recovery codes'))
  await expect(page.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type(NEW_PASSWORD)
  await write(page, page.getByLabel('Authentication code'), code)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Successfully created new recovery codes')).toBeVisible()
  return saveCodes(page)
}

test('an account is made, kept safe and deleted by keyboard alone', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(300_000)
  const person = somebody('Kaja')
  await test.step('register', () => register(page, person))
  await test.step('verify', () => verify(page, person))
  await page.goto('/account')
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await test.step('change the password', () => changePassword(page, person))
  const secret = await test.step('turn two-factor login on', () => turnOnTwoFactor(page))

  await test.step('log in with a code', async () => {
    await press(page, button(page, 'Logout'))
    await page.waitForURL((url) => url.pathname === '/login')
    await logIn(page, person.email, NEW_PASSWORD)
    await expect(page.getByLabel('Authentication code')).toBeFocused()
    await page.keyboard.type(appCode(secret))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
    await press(page, page.getByRole('link', { name: 'Account', exact: true }))
    await page.waitForURL((url) => url.pathname === '/account')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  const codes = await test.step('get new recovery codes', () =>
    renewCodes(page, appCode(secret, 1)))

  await test.step('turn two-factor login off', async () => {
    await press(page, button(page, 'Turn off'))
    await expect(page.getByLabel('Your password')).toBeFocused()
    await page.keyboard.type(NEW_PASSWORD)
    await write(page, page.getByLabel('Authentication code'), codes[0] ?? '')
    await press(page, button(page, 'Turn off'))
    await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
    await expect(button(page, 'Set up')).toBeFocused()
  })

  await test.step('log out another device, then every one', async () => {
    await logInPerson(product.address, { ...person, password: NEW_PASSWORD })
    await page.reload()
    const rows = page.getByRole('list', { name: 'Where you are logged in' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await press(page, rows.last().getByRole('button'))
    await expect(rows).toHaveCount(1)
    await expect(button(page, 'Log out everywhere'), 'beside the row that is gone').toBeFocused()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/login')
    expect(await readStored(page)).toEqual({ banners: 'string:[]' })
    await logIn(page, person.email, NEW_PASSWORD)
    await page.waitForURL((url) => url.pathname === '/')
  })

  await test.step('download the data, then delete the account', async () => {
    await press(page, page.getByRole('link', { name: 'Account', exact: true }))
    const download = page.waitForEvent('download')
    await press(page, button(page, 'Download my data'))
    await download
    await press(page, button(page, 'Delete my account'))
    const dialog = page.getByRole('dialog', { name: 'Delete my account' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button(page, 'Delete my account')).toBeFocused()
    await page.keyboard.press('Enter')
    await write(page, dialog.getByLabel('Type DELETE to confirm'), 'DELETE')
    await write(page, dialog.getByLabel('Your password'), NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/login')
    await expect(toastOf(page, 'Your account has been deleted')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeFocused()
  })
  // The login that asks for a code.
  excuseStatus(faults, 401)
})
