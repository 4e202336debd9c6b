import { expect, type Page } from '@playwright/test'

import { appCode, excuseStatus, readStored, toastOf } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { enter, logIn, tabTo } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Two-factor login' })

test('two-factor login is turned on by keyboard, asked for, and turned off', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(300_000)
  const person = somebody('Theo')
  await registerPerson(product.address, person)
  await enter(page, person)
  await page.getByRole('link', { name: 'Account', exact: true }).click()

  const secret = await test.step('the password, then the secret as a QR code and to copy', () =>
    startSetup(page, person))

  const codes = await test.step('a code of the app turns it on and gives recovery codes', () =>
    confirmSetup(page, secret))

  await test.step('the codes go away once they are confirmed as saved', async () => {
    await takePictures(page, 'account-recovery-codes')
    await expectAccessible(page, 'the recovery codes')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download codes' }).click()
    const file = await (await (await download).createReadStream()).toArray()
    expect(Buffer.concat(file).toString()).toBe(`${codes.join('\n')}\n`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy codes' }).click()
    await expect(toastOf(page, 'Successfully copied text')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${codes.join('\n')}\n`)
    await expect(page.getByRole('button', { name: 'Done' })).toBeDisabled()
    await tabTo(page, page.getByRole('checkbox', { name: 'I have saved them' }))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText(codes[0] ?? '')).toHaveCount(0)
    await expect(card(page)).toContainText('10 recovery codes are left.')
  })

  await test.step('a login asks for a code and keeps what was typed', () =>
    logInWithCode(page, person, secret))

  await test.step('a recovery code does as well, once', () =>
    logInWithRecoveryCodes(page, person, codes))

  await test.step('password and a code turn it off', async () => {
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await expect(card(page)).toContainText('8 recovery codes are left.')
    await card(page).getByRole('button', { name: 'Turn off' }).click()
    await page.getByLabel('Your password').fill(person.password)
    await page.getByLabel('Authentication code').fill('000 000')
    await card(page).getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByLabel('Authentication code')).toHaveAccessibleDescription(
      /The code is incorrect or has already been used/,
    )
    await page.getByLabel('Authentication code').fill(codes[2]?.toUpperCase() ?? '')
    await page.keyboard.press('Enter')
    await expect(toastOf(page, 'Two-factor login is off')).toBeVisible()
    await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/')
  excuseStatus(faults, 400)
  excuseStatus(faults, 401)
})

async function startSetup(page: Page, person: Person): Promise<string> {
  await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
  await tabTo(page, card(page).getByRole('button', { name: 'Set up' }))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type('not the password 1')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Your password')).toHaveAccessibleDescription(
    'The current password is incorrect',
  )
  await page.getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  const qr = card(page).getByRole('img', { name: 'QR code for the authenticator app' })
  await expect(qr).toHaveAttribute('width', '160')
  const uri = new URL((await qr.getAttribute('data-qr-value')) ?? '')
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toContain(person.email)
  const copy = card(page).getByRole('button', { name: 'Copy Secret' })
  const secret = (await copy.getAttribute('data-copy-value')) ?? ''
  expect(uri.searchParams.get('secret')).toBe(secret)
  await takePictures(page, 'account-two-factor')
  await expectAccessible(page, 'the set-up of two-factor login')
  return secret
}

async function confirmSetup(page: Page, secret: string): Promise<string[]> {
  const code = page.getByLabel('Authentication code')
  await tabTo(page, code)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(code).toHaveAccessibleDescription('The code is incorrect or has already been used')
  // The previous time step, so that this one's code is left for the login.
  const shown = appCode(secret, -1)
  await code.fill(`${shown.slice(0, 3)} ${shown.slice(3)}`)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Two-factor login is on')).toBeVisible()
  const codes = page.getByRole('list', { name: 'Save your recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return codes.allInnerTexts()
}

async function logInWithCode(page: Page, person: Person, secret: string): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await logIn(page, person.email, person.password)
  const code = page.getByLabel('Authentication code')
  await expect(code).toBeFocused()
  await takePictures(page, 'login-code')
  await expectAccessible(page, 'the second step of the login')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(person.email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(code).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(code).toHaveAccessibleDescription("Can't be empty")
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(code).toHaveAccessibleDescription('The code is incorrect or has already been used')
  expect((await readStored(page))['loggedIn']).toBeUndefined()
  await code.fill(appCode(secret))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/')
  await expect(toastOf(page, 'Successfully logged in')).toBeVisible()
}

async function logInWithRecoveryCodes(page: Page, person: Person, codes: string[]): Promise<void> {
  const [first = '', second = ''] = codes
  const field = page.getByLabel('Recovery code')
  const askForCode = async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await logIn(page, person.email, person.password)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(field).toBeFocused()
    // Whoever has lost both is not left alone.
    const main = page.getByRole('main')
    await expect(main).toContainText('Lost both your app and your codes?')
    await expect(main.getByRole('link', { name: 'Privacy Policy' })).toBeVisible()
  }
  await askForCode()
  await field.fill(first)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/')

  await askForCode()
  await field.fill(first)
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription('The code is incorrect or has already been used')
  await page.getByRole('button', { name: 'Use the app' }).click()
  await expect(page.getByLabel('Authentication code')).toBeFocused()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await field.fill(second)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/')
}
