import { expect, type Page, type Response } from '@playwright/test'
import { decodeFunctionData, erc20Abi } from 'viem'

import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp, dropFaults, enterAsNewBuyer } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { tabTo, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import type { LoggedIn } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { CONFIRMATIONS, test } from '#tests/e2e/kit/wallet-product.ts'
import { dialogMarkup, installWallet, type PlayedWallet } from '#tests/e2e/kit/wallet.ts'
import { addressOf, dueOf } from '#tests/kit/servers/evm-app.ts'

/** The server looks at its chains every second, and the page hears of it at once. */
const ON_CHAIN = { timeout: 20_000 }
const POLYGON = 137

const payWith = (page: Page, name = 'Fox Wallet') =>
  transactionDialog(page).getByRole('button', { name: `Pay with ${name}` })
const openInWallet = (page: Page) =>
  transactionDialog(page).getByRole('link', { name: 'Open in wallet' })
const part = (page: Page) => transactionDialog(page).locator('[data-wallet-payment]')
const refusal = (page: Page) => part(page).locator('[data-refusal]')
const chip = (page: Page) => transactionDialog(page).locator('[data-tone]').first()
const situation = (page: Page) => transactionDialog(page).locator('[data-situation]')

/** The file that the page fetches only if a wallet could pay. */
const walletCode = /\/assets\/wallet-payment-.*\.js/

/** Code that is requested a second time is there at once: by then it has run, and been shown. */
async function hasRun(page: Page, code: Response): Promise<void> {
  await page.evaluate((url) => import(url), code.url())
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}

async function open(page: Page, address: string, session: LoggedIn, token: string) {
  const purchase = await buyByHttp(address, session, 100, token)
  await show(page, purchase)
  return purchase
}

async function show(page: Page, { id }: Transaction): Promise<void> {
  await page.goto(`/buy?id=${id}`)
  await expect(chip(page)).toHaveText('Pending')
}

/** The single request that the wallet got. */
function onlySending(wallet: PlayedWallet): Record<string, string> {
  const sent = wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')
  expect(sent).toHaveLength(1)
  return (sent[0]?.params[0] ?? {}) as Record<string, string>
}

test('a wallet on another network pays exactly what is due, and the page follows', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000)
  const { address, chain } = product
  const { session } = await enterAsNewBuyer(page, address, 'Wanda')
  const wallet = await installWallet(page, chain, {
    chainId: POLYGON,
    knownChains: [POLYGON, chain.chainId],
  })
  const purchase = await open(page, address, session, 'eth')
  await expect(part(page)).toContainText(`exactly ${purchase.payment_amount} ETH`)
  await expect(openInWallet(page)).toBeVisible()
  await expectAccessible(page, 'a purchase that a wallet can pay')
  await takePictures(page, 'wallet-offered', 'window')

  await tabTo(page, payWith(page))
  await page.keyboard.press('Enter')
  await expect(part(page)).toContainText('Sent.')
  await expect(part(page)).toBeFocused()
  const [hash = ''] = wallet.sent
  await expect(part(page).getByRole('button', { name: 'Copy Transaction hash' })).toHaveAttribute(
    'data-copy-value',
    hash,
  )
  expect(wallet.asked.map(({ method }) => method)).toContain('wallet_switchEthereumChain')
  expect(wallet.chainId).toBe(chain.chainId)
  expect(onlySending(wallet)).toEqual({
    from: wallet.accounts[0],
    to: addressOf(purchase),
    value: `0x${dueOf(purchase).toString(16)}`,
    chainId: '0x1',
  })
  await expectAccessible(page, 'a purchase that a wallet has paid')
  await takePictures(page, 'wallet-sent', 'window')

  // Not even reloading the page offers to send it a second time.
  await show(page, purchase)
  await expect(part(page)).toContainText('Sent.')
  await expect(payWith(page)).toBeHidden()
  await expect(openInWallet(page)).toBeHidden()

  await chain.mine(1)
  await expect(chip(page)).toHaveText('Processing', ON_CHAIN)
  await expect(part(page)).toBeHidden()
  await chain.mine(CONFIRMATIONS)
  await expect(chip(page)).toHaveText('Completed', ON_CHAIN)
  await expect(situation(page)).toContainText('10,000 PEAR are yours')
  await expect(part(page)).toBeHidden()
})

test('after a part was paid from elsewhere, a wallet pays the rest of it in tokens', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000)
  const { address, chain, usdt } = product
  const { session } = await enterAsNewBuyer(page, address, 'Tilda')
  const wallet = await installWallet(page, chain)
  const purchase = await open(page, address, session, 'usdt')
  await expect(part(page)).toContainText(`exactly ${purchase.payment_amount} USDT`)
  await chain.transferToken(usdt, addressOf(purchase), 1_234_567n)
  await chain.mine(1)
  await expect(situation(page)).toHaveAttribute('data-situation', 'rest', ON_CHAIN)

  await payWith(page).click()
  await expect(part(page)).toContainText('Sent.')
  const { data, ...rest } = onlySending(wallet)
  expect(rest).toEqual({ from: wallet.accounts[0], to: usdt, value: '0x0', chainId: '0x1' })
  expect(decodeFunctionData({ abi: erc20Abi, data: data as `0x${string}` })).toEqual({
    functionName: 'transfer',
    args: [addressOf(purchase), dueOf(purchase) - 1_234_567n],
  })
  await chain.mine(1 + CONFIRMATIONS)
  await expect(chip(page)).toHaveText('Completed', ON_CHAIN)
  const paid = await callProduct(
    address,
    transactionsContract.getTransaction,
    { params: { id: purchase.id } },
    session.accessToken,
  )
  expect(paid).toMatchObject({ status_reason: null, payment_amount: '0' })
})

test('each refusal is a sentence, and the purchase can be paid after it', async ({
  page,
  product,
}) => {
  test.setTimeout(240_000)
  const { address, chain } = product
  const { session } = await enterAsNewBuyer(page, address, 'Rufus')
  const wallet = await installWallet(page, chain)
  const purchase = await open(page, address, session, 'eth')
  const [rich = ''] = wallet.accounts

  const tryToPay = async (reason: string, sentence: string | RegExp) => {
    await payWith(page).click()
    await expect(refusal(page)).toHaveAttribute('data-refusal', reason)
    await expect(refusal(page)).toContainText(sentence)
  }
  wallet.failNext('eth_sendTransaction', { code: 4001, message: 'User rejected the request.' })
  await tryToPay('rejected', 'You declined in Fox Wallet. Nothing was sent')
  await expectAccessible(page, 'a purchase that a wallet refused to pay')
  await takePictures(page, 'wallet-refused', 'window')

  wallet.accounts = []
  await tryToPay('locked', 'Unlock it')
  wallet.accounts = [`0x${'9'.repeat(40)}`]
  await tryToPay('insufficient', `does not hold enough for ${purchase.payment_amount} ETH`)
  wallet.accounts = [rich]
  wallet.failNext('eth_sendTransaction', {
    code: -32000,
    message: 'insufficient funds for gas * price + value',
  })
  await tryToPay('insufficient', 'the network fee')
  wallet.failNext('eth_requestAccounts', { code: -32002, message: 'Already pending' })
  await tryToPay('busy', 'already open in Fox Wallet')
  wallet.chainId = POLYGON
  wallet.knownChains = new Set([POLYGON])
  await tryToPay('unknownChain', 'does not know the Ethereum (ERC20) network')
  wallet.knownChains = new Set([POLYGON, chain.chainId])
  wallet.failNext('wallet_switchEthereumChain', { code: 4200, message: 'Unsupported' })
  await tryToPay('wrongChain', 'Switch to the Ethereum (ERC20) network')
  await takePictures(page, 'wallet-wrong-chain', 'window')
  expect(wallet.sent).toEqual([])

  await payWith(page).click()
  await expect(part(page)).toContainText('Sent.')
  await chain.mine(1 + CONFIRMATIONS)
  await expect(chip(page)).toHaveText('Completed', ON_CHAIN)
})

test('a busy wallet is asked once, and not at all for what was paid meanwhile', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000)
  const { address, chain } = product
  const { session } = await enterAsNewBuyer(page, address, 'Igor')
  const wallet = await installWallet(page, chain)
  const purchase = await open(page, address, session, 'eth')
  const letGo = wallet.hold('eth_requestAccounts')

  await payWith(page).dblclick()
  await expect(part(page)).toContainText('Open Fox Wallet and choose the account')
  await expect(payWith(page)).toHaveAttribute('aria-busy', 'true')
  await expectAccessible(page, 'a purchase while a wallet is asked')
  await takePictures(page, 'wallet-waiting', 'window')
  await page.keyboard.press('Escape')
  await expect(transactionDialog(page)).toBeHidden()
  await transactionRows(page).first().getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(payWith(page)).toHaveAttribute('aria-busy', 'true')
  await payWith(page).click({ force: true })
  expect(wallet.asked).toHaveLength(1)

  await chain.send({ to: addressOf(purchase), value: dueOf(purchase) })
  await chain.mine(1)
  await expect(chip(page)).toHaveText('Processing', ON_CHAIN)
  await expect(part(page)).toBeHidden()
  letGo()
  await expect.poll(() => wallet.asked.map(({ method }) => method)).toContain('eth_getBalance')
  await chain.mine(CONFIRMATIONS)
  await expect(chip(page)).toHaveText('Completed', ON_CHAIN)
  expect(wallet.sent).toEqual([])
})

test('of several wallets the buyer chooses one, whatever they call themselves', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address, chain } = product
  const { session } = await enterAsNewBuyer(page, address, 'Viola')
  const fox = await installWallet(page, chain)
  const odd = await installWallet(page, chain, { name: '<b>Bold</b> & Co', icon: 'https://a.b/c' })
  await installWallet(page, chain, { name: 'A wallet of a long and winding name' })
  await open(page, address, session, 'eth')
  await expect(part(page).getByRole('button')).toHaveText([
    'Pay with Fox Wallet',
    'Pay with <b>Bold</b> & Co',
    'Pay with A wallet of a long and winding …',
  ])
  await expect(payWith(page).locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml,/)
  await expect(payWith(page, '<b>Bold').locator('img')).toBeHidden()
  await expectAccessible(page, 'a purchase that several wallets can pay')
  await takePictures(page, 'wallet-several', 'window')

  await payWith(page, '<b>Bold').click()
  await expect(part(page)).toContainText('Sent.')
  expect(odd.sent).toHaveLength(1)
  expect(fox.asked).toEqual([])
  await part(page).getByRole('button', { name: 'It was cancelled in my wallet' }).click()
  await expect(payWith(page)).toBeVisible()
})

test('without a wallet the dialog is as it would be without any code for wallets', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const { session } = await enterAsNewBuyer(page, product.address, 'Nadia')
  let isRefused = false
  await page.route(walletCode, (route) => {
    isRefused = true
    return route.abort()
  })
  const purchase = await open(page, product.address, session, 'eth')
  const without = await dialogMarkup(page)
  expect(isRefused).toBe(true)
  dropFaults(faults, /ERR_FAILED/)
  await page.unroute(walletCode)

  const fetched = page.waitForResponse(walletCode)
  await show(page, purchase)
  await hasRun(page, await fetched)
  expect(await dialogMarkup(page)).toBe(without)

  await installWallet(page, product.chain)
  await show(page, purchase)
  await expect(payWith(page)).toBeVisible()
  expect(await dialogMarkup(page)).not.toBe(without)
})

test('a wallet is offered for nothing but an open purchase in a coin that it can send', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address, chain } = product
  const { session } = await enterAsNewBuyer(page, address, 'Otis')
  const wallet = await installWallet(page, chain)
  const purchase = await open(page, address, session, 'eth')
  await expect(payWith(page)).toBeVisible()

  const others: [heading: RegExp, change: Partial<Transaction>][] = [
    [/Pending/, { payment_uri: `bitcoin:${addressOf(purchase)}?amount=1` }],
    [/Pending/, { payment_uri: `litecoin:${addressOf(purchase)}?amount=1` }],
    [/Pending/, { expires_date: '2020-01-01T00:00:00Z' }],
    [/Expired/, { status: 'expired' }],
    [/Completed/, { status: 'completed' }],
    [/Failed/, { status: 'failed' }],
  ]
  for (const [heading, change] of others) {
    const path = `**/api/v1/transactions/${purchase.id}`
    await page.route(path, (route) => route.fulfill({ json: { ...purchase, ...change } }))
    await page.route('**/api/v1/users/*/transactions?*', (route) =>
      route.fulfill({ json: { data: [], before: null, after: null } }),
    )
    const fetched = page.waitForResponse(walletCode)
    await page.goto(`/buy?id=${purchase.id}`)
    await expect(chip(page)).toHaveText(heading)
    await hasRun(page, await fetched)
    await expect(part(page)).toBeHidden()
    await page.unroute(path)
  }
  expect(wallet.asked).toEqual([])
})
