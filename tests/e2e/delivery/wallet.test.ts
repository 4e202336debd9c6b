import { expect, type Page } from '@playwright/test'
import { isHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import {
  appCode,
  excuseStatus,
  mailedLink,
  toastOf,
  turnOnTwoFactor,
  verifyByHttp,
} from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { refusal } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter, logIn } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { installWallet, type PlayedWallet } from '#tests/e2e/kit/wallet.ts'

test.use({ saleFile: `${SMALL_SALE_FILE}delivery: { chain: ERC20, chain_id: 1 }\n` })

const TWO_FACTOR = '**/api/v1/auth/two-factor'
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const THIRD = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

let person: Person
let session: LoggedIn
test.beforeEach(async ({ product }) => {
  person = somebody('Wanda')
  session = await registerPerson(product.address, person)
})

/** A browser wallet with its own keys in lower case, as most have them, which asks no chain. */
async function installSigner(page: Page, count = 1) {
  const keys = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
  const rpc = async (method: string, params: readonly unknown[] = []) => {
    const [raw, address] = params
    const key = keys.find((each) => each.address.toLowerCase() === address)
    if (method !== 'personal_sign' || key === undefined || !isHex(raw)) throw new Error(method)
    return (await key.signMessage({ message: { raw } })) as never
  }
  const accounts = keys.map(({ address }) => address)
  const lowerCase = accounts.map((address) => address.toLowerCase())
  const wallet = await installWallet(page, { chainId: 1, rpc }, { accounts: lowerCase })
  return { wallet, accounts }
}

const card = (page: Page) => page.getByRole('region', { name: 'Receiving wallet' })
const panel = (page: Page) => card(page).locator('> [tabindex="-1"]')
const dialog = (page: Page) => page.getByRole('dialog')
const step = (page: Page) => dialog(page).getByRole('heading', { name: 'Check it once more' })
const field = (page: Page) => dialog(page).getByLabel('Address of your wallet')
const signed = (wallet: PlayedWallet) =>
  wallet.asked.filter(({ method }) => method === 'personal_sign')

async function openCard(page: Page, address: string): Promise<void> {
  await verifyByHttp(address, session)
  await enter(page, person)
  await page.goto('/account#wallet')
  await expect(card(page)).toBeVisible()
}

async function setByHttp(address: string, wallet: string, former: string | null): Promise<void> {
  const last = wallet.slice(-6)
  const given = { last_characters: last, is_no_exchange: true, password: person.password }
  const body = { address: wallet, former, ...given }
  await callProduct(address, walletsContract.setWallet, { body }, session.accessToken)
}

async function confirm(page: Page, button: string): Promise<void> {
  await dialog(page).getByLabel('Your password').fill(person.password)
  await dialog(page).getByRole('button', { name: button }).click()
  await expect(dialog(page)).toBeHidden()
}

async function pasteOther(page: Page): Promise<void> {
  await field(page).fill(OTHER)
  await dialog(page).getByLabel('last 6 characters').fill(OTHER.slice(-6))
  await dialog(page).getByLabel('This is my own wallet').check()
}

/** As an extension does whose own code comes later than the page's. */
async function announceWallet(page: Page): Promise<void> {
  await page.evaluate(() => {
    const info = { uuid: '00000000-0000-4000-8000-000000000000', name: 'Late Wallet' }
    const detail = { info, provider: { request: async () => null } }
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}

test('a wallet of the browser signs, a change waits, and its mail cancels it', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000)
  const { wallet, accounts } = await installSigner(page)
  const [address = ''] = accounts
  await openCard(page, product.address)
  await takePictures(page, 'wallet-none')
  await card(page).getByRole('button', { name: 'Set the wallet' }).click()
  await expectAccessible(page, 'the dialog of a wallet')
  await takePictures(page, 'wallet-choose', 'window')
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await expect(dialog(page)).toContainText('This wallet has signed')
  await expect(dialog(page)).toContainText(address)
  await expect(step(page)).toBeFocused()
  await takePictures(page, 'wallet-confirm', 'window')
  await confirm(page, 'Set this wallet')
  expect(signed(wallet)).toHaveLength(1)
  await expect(card(page)).toContainText(address)
  await expect(card(page)).toContainText('Signed')
  await takePictures(page, 'wallet-signed')

  await card(page).getByRole('button', { name: 'Change the wallet' }).click()
  await dialog(page).getByRole('button', { name: 'Enter the address by hand' }).click()
  await expect(field(page)).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(dialog(page).getByText('It is best to sign with the wallet')).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Enter the address by hand' }).click()
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(dialog(page)).toContainText('Must be an address')
  await takePictures(page, 'wallet-paste-faults', 'window')
  await pasteOther(page)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(field(page)).toHaveValue(OTHER)
  await expect(field(page)).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await takePictures(page, 'wallet-change', 'window')
  await confirm(page, 'Change to this wallet')
  await expect(card(page)).toContainText(OTHER)
  await expect(panel(page)).toBeFocused()
  await expect(card(page).getByRole('timer')).toHaveText(/^4[78]:/)
  await expectAccessible(page, 'the wallet')
  await takePictures(page, 'wallet-waiting')

  await page.goto(await mailedLink(product.address, person.email, '/cancel-wallet'))
  await expect(page).toHaveURL(/\/cancel-wallet$/)
  await takePictures(page, 'wallet-cancel')
  const result = page.getByRole('main').locator('[aria-live]')
  await expect(result).not.toBeFocused()
  await page.getByRole('button', { name: 'Cancel the change' }).click()
  await expect(result).toContainText('Your tokens go to your wallet as before.')
  await expect(result).toBeFocused()
  await expectAccessible(page, 'the cancelling of a change')
  await takePictures(page, 'wallet-cancelled')
  await expect(page.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute(
    'href',
    '/account#password',
  )
  await page.goto('/account#wallet')
  await expect(card(page)).not.toContainText(OTHER)
  await expect(card(page)).toContainText(address)
})

test('the current wallet agrees, and the change takes effect at once', async ({
  page,
  product,
}) => {
  const { wallet, accounts } = await installSigner(page, 2)
  const [first = '', second = ''] = accounts
  await openCard(page, product.address)
  await card(page).getByRole('button', { name: 'Set the wallet' }).click()
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await confirm(page, 'Set this wallet')
  wallet.accounts.reverse()
  await card(page).getByRole('button', { name: 'Change the wallet' }).click()
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await expect(dialog(page)).toContainText('This is a different account.')
  wallet.accounts.reverse()
  wallet.failNext('personal_sign', { code: 4001, message: 'User rejected the request' })
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await expect(dialog(page)).toContainText('You declined in Fox Wallet.')
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await expect(dialog(page).getByText('Your current wallet has agreed')).toBeFocused()
  await confirm(page, 'Change to this wallet')
  await expect(card(page)).toContainText(second)
  await expect(card(page)).not.toContainText(first)
  await expect(card(page).getByRole('timer')).toBeHidden()
})

test('a pasted wallet signs after the freeze, and nothing else is offered', async ({
  page,
  product,
}) => {
  const { wallet, accounts } = await installSigner(page, 2)
  const [other = '', address = ''] = accounts
  await verifyByHttp(product.address, session)
  await setByHttp(product.address, address, null)
  await page.route('**/api/v1/wallet', async (route) => {
    const own = (await (await route.fetch()).json()) as ReceivingWallet
    await route.fulfill({ json: { ...own, next_step: 'frozen' } })
  })
  await enter(page, person)
  await page.goto('/account#wallet')
  await expect(card(page)).toContainText('can no longer be changed here')
  await card(page).getByRole('button', { name: 'Sign with this wallet' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Enter the address' })).toBeHidden()
  await expectAccessible(page, 'the dialog of a wallet that signs afterwards')
  await takePictures(page, 'wallet-sign-frozen', 'window')
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await expect(dialog(page)).toContainText('This is a different account.')
  wallet.accounts.reverse()
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await expect(dialog(page)).not.toContainText('after 48 hours')
  await confirm(page, 'Set this wallet')
  await expect(card(page)).toContainText('This wallet has signed to receive your tokens.')
  await expect(card(page)).toContainText(address)
  await expect(card(page)).not.toContainText(other)
  await expect(card(page).getByRole('button')).toHaveCount(0)
})

test('without a wallet in the browser the address is entered with care', async ({
  page,
  product,
}) => {
  await openCard(page, product.address)
  await card(page).getByRole('button', { name: 'Set the wallet' }).click()
  await expect(dialog(page)).toContainText('No wallet was found in this browser')
  await pasteOther(page)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await confirm(page, 'Set this wallet')
  await expect(card(page)).toContainText('Not signed')
})

test('a wallet that announces itself late is offered, and leaves what was typed', async ({
  page,
  product,
}) => {
  await openCard(page, product.address)
  const byHand = dialog(page).getByRole('button', { name: 'Enter the address by hand' })
  await card(page).getByRole('button', { name: 'Set the wallet' }).click()
  await expect(dialog(page)).toContainText('No wallet was found in this browser')
  await announceWallet(page)
  await expect(byHand).toBeVisible()

  await page.reload()
  await card(page).getByRole('button', { name: 'Set the wallet' }).click()
  await field(page).fill(OTHER)
  await announceWallet(page)
  await expect(dialog(page)).not.toContainText('No wallet was found in this browser')
  await expect(field(page)).toHaveValue(OTHER)
  await expect(field(page)).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(byHand).toBeVisible()
})

test('setting a wallet asks for the code, even if the page could not learn that it needs one', async ({
  page,
  product,
  faults,
}) => {
  await openCard(page, product.address)
  const secret = await turnOnTwoFactor(product.address, session, person)
  await page.route(TWO_FACTOR, (route) => route.fulfill(refusal(400, 'InvalidInput', 'No')))
  await page.reload()
  await card(page).getByRole('button', { name: 'Set the wallet' }).click()
  await pasteOther(page)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await dialog(page).getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Authentication code')).toBeFocused()
  await page.keyboard.type(appCode(secret))
  await page.keyboard.press('Enter')
  await expect(card(page)).toContainText('Not signed')
  excuseStatus(faults, 400)
})

test('a change takes effect when the server says, and is not called cancelled after that', async ({
  page,
  product,
}) => {
  await verifyByHttp(product.address, session)
  await setByHttp(product.address, OTHER, null)
  await setByHttp(product.address, THIRD, OTHER)
  await enter(page, person)
  await page.clock.install({ time: Date.now() + 20 * 86_400_000 })
  await page.goto('/account')
  await expect(card(page).getByRole('timer')).toHaveText(/^4[78]:/)
  await expect(panel(page), 'nobody has been here yet').not.toBeFocused()

  await test.step('a press that comes too late says so', async () => {
    await page.route('**/api/v1/wallet/change/cancel', async (route) => {
      const url = `${product.address}/api/v1/wallet`
      const own = (await (await route.fetch({ method: 'GET', url })).json()) as ReceivingWallet
      const wallet = { ...own.wallet, address: THIRD }
      await route.fulfill({ json: { ...own, wallet, change: null, next_step: 'change' } })
    })
    await card(page).getByRole('button', { name: 'Cancel the change' }).click()
    await expect(
      toastOf(page, 'It was too late to cancel: the change has taken effect.'),
    ).toBeVisible()
    await expect(card(page)).toContainText(THIRD)
    await expect(panel(page)).toBeFocused()
  })

  await test.step('a change that is due is asked for until it has taken effect', async () => {
    let asked = 0
    await page.route('**/api/v1/wallet', async (route) => {
      const own = (await (await route.fetch()).json()) as ReceivingWallet
      asked += 1
      const dueDate = new Date(Date.now() - 60_000).toISOString()
      const change = asked < 3 ? { ...own.change, effective_date: dueDate } : null
      await route.fulfill({ json: { ...own, change } })
    })
    await page.reload()
    await expect(card(page)).toContainText(THIRD)
    await page.clock.runFor(11_000)
    await expect(card(page)).not.toContainText(THIRD)
  })
})

test('the link of a mail leads to the wallet, also over the login, which a confirmed address can set', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/account#wallet')
  await logIn(page, person.email, person.password)
  await expect(page).toHaveURL(/\/account#wallet$/)
  await expect(card(page)).toBeInViewport()
  await page.reload()
  await expect(card(page)).toBeInViewport()
  await expect(card(page)).toContainText('Verify your email first')
  await expect(card(page).getByRole('button')).toHaveCount(0)
})
