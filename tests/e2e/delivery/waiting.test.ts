import { expect, type Page } from '@playwright/test'
import { walletsContract } from '#contract/delivery/wallets.ts'
import { excuseStatus, verifyByHttp } from '#tests/e2e/kit/account.ts'
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
  faults,
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

  await test.step('of a closed list nothing is said while the wallet is not known', async () => {
    await page.route('**/api/v1/deliveries', async (route) => {
      const response = await route.fetch()
      const reply = await response.json()
      const waiting = { ...reply.waiting, is_frozen: true }
      await route.fulfill({ response, json: { ...reply, waiting } })
    })
    await page.route('**/api/v1/wallet', (route) => route.fulfill({ status: 400, json: {} }))
    await page.reload()
    await expect(card(page)).toContainText('Handed out by the sale')
    await expect(card(page)).not.toContainText('This comes after the sale')
    await expect(card(page)).not.toContainText('The list was closed before')
    excuseStatus(faults, 400)
  })
})
