import { expect, type Page } from '@playwright/test'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { snapshotsContract } from '#contract/operator/snapshots.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { verifyByHttp } from '#tests/e2e/kit/account.ts'
import { buyByHttp, enterAsNewBuyer, mineBlocks, payByHttp } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { CONFIRMATIONS, test } from '#tests/e2e/kit/delivery/delivering-product.ts'
import { allowSaleAnswers } from '#tests/e2e/kit/sale.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { installWallet } from '#tests/e2e/kit/wallet.ts'
import { INDEXED_DISTRIBUTOR_BYTECODE } from '#tests/kit/contracts/bytecode.ts'

test.afterEach(({ faults }) => allowSaleAnswers(faults))

const card = (page: Page) => page.getByRole('region', { name: 'Where your tokens are' })
const dialog = (page: Page) => page.getByRole('dialog')
const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')

test('from the purchase to the tokens in the wallet: signed, frozen, published, claimed, delivered', async ({
  page,
  product,
}) => {
  test.setTimeout(240_000)
  const { address, operatorToken, chain, token } = product
  const [, account = ''] = await chain.rpc<string[]>('eth_accounts')
  const wallet = await installWallet(page, chain, { accounts: [account] })
  const { person, session } = await enterAsNewBuyer(page, address, 'Dora')
  await verifyByHttp(address, session)

  // All that there is to sell, so that the sale is over.
  const purchase = await buyByHttp(address, session, 100)
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
  await mineBlocks(address, 2)
  await page.goto('/')
  await expect(page.getByText('Where should your tokens go?')).toBeVisible()
  await expect(card(page)).toBeHidden()
  await page.getByRole('link', { name: 'Set the wallet' }).click()
  await page
    .getByRole('region', { name: 'Receiving wallet' })
    .getByRole('button', { name: 'Set the wallet' })
    .click()
  await dialog(page).getByRole('button', { name: 'Sign with Fox Wallet' }).click()
  await dialog(page).getByLabel('Your password').fill(person.password)
  await dialog(page).getByRole('button', { name: 'Set this wallet' }).click()
  await expect(dialog(page)).toBeHidden()
  // The step back that a closed dialog makes would undo what the address bar is told meanwhile.
  await page.waitForFunction(() => !window.history.state?.openDialog)
  await page.goto('/')
  await expect(card(page)).toContainText('100 PEAR not handed out yet')
  await expect(card(page)).toContainText('This comes after the sale')
  await expectAccessible(page, 'tokens that wait')
  await takePictures(page, 'delivery-assigned')

  const asOperator = { headers: { 'operator-name': 'Olga' } }
  await expect
    .poll(
      async () => {
        const report = await callProduct(address, snapshotsContract.getSnapshots, {}, operatorToken)
        return report.undecided
      },
      { timeout: 90_000 },
    )
    .toEqual([])
  const snapshot = await callProduct(address, snapshotsContract.freeze, asOperator, operatorToken)
  const made = await callProduct(
    address,
    distributionsContract.makeDistribution,
    { ...asOperator, body: { snapshot: snapshot.number, tool: 'uniswap' } },
    operatorToken,
  )
  const contract = await chain.deploy(
    INDEXED_DISTRIBUTOR_BYTECODE,
    word(token) + word(made.root ?? ''),
  )
  await chain.transferToken(token, contract, BigInt(made.amount_base_units))
  await chain.mine()
  const from = { contract, from_block: '0' }
  const expires = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString()
  await callProduct(
    address,
    distributionsContract.publishDistribution,
    { ...asOperator, params: { id: made.id }, body: { ...from, expires_date: expires } },
    operatorToken,
  )

  // The page is notified, and shows the claim without being reloaded.
  await expect(card(page)).toContainText('Ready to claim')
  await expectAccessible(page, 'a claim')
  await takePictures(page, 'delivery-published')
  wallet.failNext('eth_sendTransaction', { code: 4001, message: 'User rejected the request' })
  const claim = card(page).getByRole('button', { name: 'Claim with Fox Wallet' })
  await claim.click()
  await expect(card(page)).toContainText('You declined in Fox Wallet. Nothing was sent.')
  await takePictures(page, 'delivery-declined')
  await claim.click()
  await expect(card(page)).toContainText('This page shows the claim as soon as')
  await takePictures(page, 'delivery-sent')
  await chain.rpc('anvil_dropTransaction', [wallet.sent.at(-1)])
  await card(page).getByRole('button', { name: 'It was cancelled in my wallet' }).click()
  await expect(page.locator(':focus').getByRole('button')).toHaveText('Claim with Fox Wallet')
  await claim.click()
  await expect(card(page)).toContainText('This page shows the claim as soon as')
  await chain.mine()
  await expect(card(page)).toContainText(`1 of ${CONFIRMATIONS} confirmations`, { timeout: 40_000 })
  await takePictures(page, 'delivery-claimed')
  await chain.mine(CONFIRMATIONS)
  await expect(card(page)).toContainText('Confirmed for good.', { timeout: 40_000 })
  await expect(card(page).getByText('Delivered').first()).toBeVisible()
  await expectAccessible(page, 'delivered tokens')
  await takePictures(page, 'delivery-delivered')
  const balance = await chain.rpc<string>('eth_call', [
    { to: token, data: `0x70a08231${word(account)}` },
    'latest',
  ])
  expect(BigInt(balance)).toBe(100n * 10n ** 18n)
})
