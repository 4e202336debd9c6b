import { expect, type Locator, type Page } from '@playwright/test'

/** What people do on the pages, in terms of the words and roles they see. */

/** A choice in one of the searchable lists of a form, with the keyboard alone. */
export async function chooseByKeyboard(
  page: Page,
  label: string,
  typed: string,
  option: RegExp,
): Promise<void> {
  await page.getByRole('button', { name: label }).focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('listbox')
  await expect(list).toBeVisible()
  await page.keyboard.type(typed)
  await expect(list.getByRole('option')).toHaveText([option])
  await page.keyboard.press('Enter')
  await expect(list).toBeHidden()
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

export async function openFromSidebar(page: Page, entry: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click()
}

/** The amounts of a description list by their labels; a label's own percentage is left out. */
export async function readLines(list: Locator): Promise<Map<string, string>> {
  const texts = await list.evaluate((element) =>
    [...element.querySelectorAll('dt')].map((term) => [
      term.innerText,
      term.nextElementSibling instanceof HTMLElement ? term.nextElementSibling.innerText : '',
    ]),
  )
  return new Map(
    texts.map(([label = '', value = '']) => [label.replace(/\+[\d.,]+%/, '').trim(), value.trim()]),
  )
}

/** The first number of a text, in hundred-thousandths, the unit of five decimals. */
export function shownAmount(text: string): bigint {
  const [, whole = '', fraction = ''] = /([\d,]+)(?:\.(\d+))?/.exec(text) ?? []
  return BigInt(whole.replaceAll(',', '') + fraction.padEnd(5, '0'))
}

/** The dialog of one transaction. */
export function transactionDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Transaction' })
}

/** The form on the buy page; rows of the list have buttons of the same name. */
export function buyForm(page: Page): Locator {
  return page.getByRole('form', { name: 'Purchase' })
}

/** The rows of the transactions list, newest first; a dialog before them makes no difference. */
export function transactionRows(page: Page): Locator {
  return page
    .getByRole('list', { name: 'Transactions', includeHidden: true })
    .getByRole('listitem', { includeHidden: true })
}

/** What a payer reads in the dialog and copies with its buttons. */
export async function copyPayment(page: Page): Promise<{ address: string; amount: string }> {
  const dialog = transactionDialog(page)
  const copy = async (label: string) => {
    await dialog.getByRole('button', { name: `Copy ${label}` }).click()
    await expect(page.getByText('Successfully copied text').first()).toBeVisible()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  return { address: await copy('Wallet Address'), amount: await copy('Amount to Pay') }
}

/** Presses Tab until the focus is on `target`, and fails if it comes full circle without it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const stopsMax = 80
  const hasFocus = () => target.evaluate((element) => element === document.activeElement)
  await expect(target).toBeVisible()
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await hasFocus()) return
    await page.keyboard.press('Tab')
  }
  await expect(target, `reached within ${stopsMax} presses of Tab`).toBeFocused()
}

/**
 * Opens a page of the product as a logged-in user. Logging in through the form is for tests of
 * that: `logIn`.
 */
export async function enter(page: Page, person: Credentials, path = '/'): Promise<void> {
  await storeSession(page, person)
  await page.goto(path)
}

type Credentials = { email: string; password: string }

/** Leaves in the browser what a login leaves there, for the next page to find when it loads. */
export async function storeSession(page: Page, { email, password }: Credentials): Promise<void> {
  const reply = await page.request.post('/api/v1/auth/login', { data: { email, password } })
  expect(reply.status(), 'the status of the login').toBe(200)
  const { data } = (await reply.json()) as { data: { user: unknown; tokens: unknown } }
  await leaveProduct(page)
  await page.evaluate(({ user, tokens }) => {
    localStorage.setItem('presale.user', `string:${JSON.stringify(user)}`)
    localStorage.setItem('presale.tokens', `string:${JSON.stringify(tokens)}`)
    localStorage.setItem('presale.loggedIn', 'boolean:true')
  }, data)
}

/** Leaves the product for a file of the same origin, so that no page of it runs meanwhile. */
export async function leaveProduct(page: Page): Promise<void> {
  await page.goto('/before-paint.js')
}
