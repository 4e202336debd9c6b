import { expect, type Page } from '@playwright/test'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import { verifyByHttp } from '#tests/e2e/kit/account.ts'
import { buyByHttp, enterAsNewBuyer, mineBlocks, payByHttp } from '#tests/e2e/kit/buying.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { holdData } from '#tests/e2e/kit/look/shifts.ts'
import { allowSaleAnswers } from '#tests/e2e/kit/sale.ts'
import { viewports } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const DATA = /\/api\/v1\/(deliveries|wallet)$/

// One purchase of $100 ends it; of the token only its place of delivery is known.
const soldAtOnce = buyingSaleFile({ tokenPrice: '1', totalTokens: '100' })
test.use({ saleFile: `${soldAtOnce}delivery: { chain: ERC20, chain_id: 1 }\n` })

test.afterEach(({ faults }) => allowSaleAnswers(faults))

const card = (page: Page) => page.getByRole('region', { name: 'Where your tokens are' })

test('on the dashboard of an ended sale nothing below moves once it is known where the tokens are', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { person, session } = await enterAsNewBuyer(page, address, 'Wilma')
  const purchase = await buyByHttp(address, session, 100)
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
  await mineBlocks(address, 2)
  const body = {
    address: ADDRESS,
    former: null,
    last_characters: ADDRESS.slice(-6),
    is_no_exchange: true,
    password: person.password,
  }
  await verifyByHttp(address, session)
  await callProduct(address, walletsContract.setWallet, { body }, session.accessToken)
  await page.goto('/')
  await expect(card(page)).toContainText('100 PEAR not handed out yet')
  const below = page.getByRole('region', { name: 'Token Balance' })
  for (const { width } of viewports) {
    await page.setViewportSize({ width, height: 1200 })
    const release = await holdData(page, DATA)
    await page.reload()
    await expect(below).toContainText('100PEAR')
    await expect(card(page)).toBeHidden()
    const before = await below.boundingBox()
    release()
    await expect(card(page)).toContainText('100 PEAR not handed out yet')
    const after = await below.boundingBox()
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? NaN)), `at ${width} px`).toBeLessThan(3)
    await page.unroute(DATA)
  }

  await test.step('of a closed list without the wallet it is said that a correction comes', async () => {
    let isListed = true
    await page.route('**/api/v1/deliveries', async (route) => {
      const response = await route.fetch()
      const reply = await response.json()
      const waiting = { ...reply.waiting, is_frozen: true, is_listed: isListed }
      await route.fulfill({ response, json: { ...reply, waiting } })
    })
    await page.route('**/api/v1/wallet', async (route) => {
      const response = await route.fetch()
      const own = (await response.json()) as ReceivingWallet
      const wallet = own.wallet && { ...own.wallet, is_listed: isListed }
      await route.fulfill({ response, json: { ...own, wallet, next_step: 'frozen' } })
    })
    const walletCard = page.getByRole('region', { name: 'Receiving wallet' })
    await page.reload()
    await expect(card(page)).toContainText('The list is closed, with this wallet in it.')
    await page.goto('/account')
    await expect(walletCard).toContainText('is closed, with this wallet in it. The wallet can no')
    isListed = false
    await page.reload()
    await expect(walletCard).toContainText('what was handed out stays in the other wallet.')
    await page.goto('/')
    await expect(card(page)).toContainText('The list was closed before this wallet was set.')
  })
})
