import { expect, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { buyByHttp, enterAsNewBuyer, payByHttp } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { tabTo, transactionDialog } from '#tests/e2e/kit/pages.ts'
import type { LoggedIn } from '#tests/e2e/kit/people.ts'
import { type PaymentAsked, readPaymentLink } from '#tests/e2e/kit/qr-link.ts'
import { readQrCode } from '#tests/e2e/kit/qr.ts'
import { dialogMarkup, installWallet } from '#tests/e2e/kit/wallet.ts'
import { showTheme, themes } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** The shipped tokens, and what a link for each must contain besides address and amount. */
const shipped = {
  eth: { scheme: 'ethereum', chainId: 1, contract: null, network: 'Ethereum (ERC20)' },
  bnb: { scheme: 'ethereum', chainId: 56, contract: null, network: 'BNB Smart Chain (BSC)' },
  matic: { scheme: 'ethereum', chainId: 137, contract: null, network: 'Polygon' },
  usdt: {
    scheme: 'ethereum',
    chainId: 1,
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    network: 'Ethereum (ERC20)',
  },
  btc: { scheme: 'bitcoin', network: 'Bitcoin' },
  ltc: { scheme: 'litecoin', network: 'Litecoin' },
  doge: { scheme: 'dogecoin', network: 'Dogecoin' },
} as const
type TokenId = keyof typeof shipped

/** A change on the chain has to be on the screen within this time. */
const LIVE = { timeout: 2000 }

const code = (page: Page) => transactionDialog(page).getByRole('img', { name: /QR code/ })
const read = (page: Page) => readQrCode(page, code(page).locator('..'))

async function openPurchase(page: Page, address: string, session: LoggedIn, token: string) {
  const purchase = await buyByHttp(address, session, 100, token)
  await page.goto(`/buy?id=${purchase.id}`)
  await expect(code(page)).toBeVisible()
  return purchase
}

/** What a wallet must read from a purchase: its amount is given by the API, in whole coins. */
function asked(token: TokenId, { payment_address, payment_amount, payment_token }: Transaction) {
  const { network: _, ...rest } = shipped[token]
  const [whole = '', fraction = ''] = (payment_amount ?? '').split('.')
  const units = BigInt(whole + fraction.padEnd(payment_token?.decimals ?? 0, '0'))
  expect(units).toBeGreaterThan(0n)
  return { ...rest, address: payment_address ?? '', units } satisfies PaymentAsked
}

test('the code on the screen asks a wallet for exactly what is due, in each token', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000)
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Quinn')
  for (const token of Object.keys(shipped) as TokenId[]) {
    await test.step(token, async () => {
      const purchase = await openPurchase(page, address, session, token)
      expect(readPaymentLink(await read(page))).toEqual(asked(token, purchase))
      await expect(transactionDialog(page)).toContainText(
        `Send only ${token.toUpperCase()}, and only on the ${shipped[token].network} network.`,
      )

      await payByHttp(address, purchase, aThirdOf(purchase))
      const situation = transactionDialog(page).locator('[data-situation]')
      await expect(situation).toHaveAttribute('data-situation', 'rest', LIVE)
      const rest = await callProduct(
        address,
        transactionsContract.getTransaction,
        { params: { id: purchase.id } },
        session.accessToken,
      )
      expect(Number(rest.payment_amount)).toBeLessThan(Number(purchase.payment_amount))
      expect(readPaymentLink(await read(page))).toEqual(asked(token, rest))
    })
  }
})

/** To six decimals, which every one of the tokens has. */
function aThirdOf({ payment_amount }: Transaction): string {
  return (Number(payment_amount) / 3).toFixed(6)
}

test('the code can be read in every theme, and holds the bare address where that is chosen', async ({
  page,
  product,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Quirin')
  const purchase = await openPurchase(page, address, session, 'usdt')
  const choice = transactionDialog(page).getByRole('radiogroup', { name: 'Content of the QR code' })
  for (const theme of themes) {
    await showTheme(page, theme)
    await tabTo(page, choice.getByRole('radio', { name: 'Payment link' }))
    expect(readPaymentLink(await read(page))).toEqual(asked('usdt', purchase))
    await page.keyboard.press('ArrowRight')
    await expect(choice.getByRole('radio', { name: 'Address only' })).toBeChecked()
    await expect(transactionDialog(page)).toContainText('Enter the amount yourself')
    expect(await read(page)).toBe(purchase.payment_address)
    await page.keyboard.press('ArrowLeft')
    await expect(choice.getByRole('radio', { name: 'Payment link' })).toBeChecked()
  }
})

test('a sandbox asks no wallet for anything: the dialog is the same with one and without', async ({
  page,
  product,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Sandy')
  const purchase = await openPurchase(page, address, session, 'eth')
  const without = await dialogMarkup(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const wallet = await installWallet(
    page,
    { chainId: 1, rpc: () => Promise.reject(new Error()) },
    {
      accounts: [],
    },
  )
  await page.goto(`/buy?id=${purchase.id}`)
  await expect(code(page)).toBeVisible()
  expect(await dialogMarkup(page)).toBe(without)
  expect(wallet.asked).toEqual([])
  expect(asked.filter((url) => url.includes('wallet-payment'))).toEqual([])
})
