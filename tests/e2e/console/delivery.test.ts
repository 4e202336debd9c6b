import { type Browser, expect as promptly, type Page } from '@playwright/test'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'

import { walletsContract } from '#contract/delivery/wallets.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { snapshotsContract } from '#contract/operator/snapshots.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp, mineBlocks, payByHttp } from '#tests/e2e/kit/buying.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { excuseStatus, verifyByHttp } from '#tests/e2e/kit/account.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { type ProductOnDelivery, test } from '#tests/e2e/kit/delivery/delivering-product.ts'
import { type Faults, watchFaults } from '#tests/e2e/kit/faults.ts'
import { type LoggedIn, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { card } from '#tests/e2e/kit/sale-pages.ts'
import { holdData, readShifts, watchShifts } from '#tests/e2e/kit/look/shifts.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { INDEXED_DISTRIBUTOR_BYTECODE } from '#tests/kit/contracts/bytecode.ts'

/** The server looks at its chains every second. */
const expect = promptly.configure({ timeout: 30_000 })

/** All tokens are sold for $100; a part of them is released by now. */
const saleFile = `${buyingSaleFile({ tokenPrice: '1', totalTokens: '100' })}vesting: { starts: 2026-01-31T00:00:00Z, first_percentage: 10, months: 5 }
`
test.use({ saleFile })

const dialog = (page: Page) => page.getByRole('dialog')
const anAddress = () => privateKeyToAccount(generatePrivateKey()).address
const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')

async function pay(address: string, buyer: LoggedIn, usd: number): Promise<void> {
  const purchase = await buyByHttp(address, buyer, usd)
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
}

/** A buyer who has pasted a wallet. */
async function aBuyerWithWallet(address: string, name: string) {
  const person = somebody(name)
  const buyer = await registerPerson(address, person)
  const wallet = anAddress()
  const body = {
    address: wallet,
    former: null,
    last_characters: wallet.slice(-6),
    is_no_exchange: true,
    password: person.password,
  }
  await verifyByHttp(address, buyer)
  await callProduct(address, walletsContract.setWallet, { body }, buyer.accessToken)
  return { person, buyer, wallet }
}

/** Another owner, in a separate browser. */
async function aSecondOwner(browser: Browser, product: ProductOnDelivery, faults: Faults[]) {
  const context = await browser.newContext({ baseURL: product.address })
  faults.push(watchFaults(context, product.address))
  const page = await context.newPage()
  await signInAsOperator(page, product, 'owner', 'Uma Owner')
  return page
}

async function expectWaits(page: Page): Promise<void> {
  await expect(page.getByText('A second person has to approve this.').last()).toBeVisible()
}

async function openApproval(page: Page, summary: RegExp): Promise<void> {
  await page.goto('/operator/approvals')
  await page.getByRole('link', { name: summary }).click()
  await expect(page.getByRole('heading', { level: 1, name: summary })).toBeVisible()
}

async function approveShown(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).click()
  await dialog(page).getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
}

test('two owners close the books, hand out, and send a buyer’s tokens to another wallet', async ({
  page: olga,
  browser,
  product,
  faults: ownFaults,
}) => {
  test.setTimeout(420_000)
  const { address, operatorToken, chain, token } = product
  const faults: Faults[] = []
  const { person, buyer, wallet } = await aBuyerWithWallet(address, 'Dora')
  const nora = await registerPerson(address, somebody('Nora'))
  await pay(address, buyer, 60)
  const unpaid = await buyByHttp(address, nora, 40)
  await signInAsOperator(olga, product, 'owner', 'Olga Owner')
  const uma = await aSecondOwner(browser, product, faults)

  await test.step('the books are closed once nothing is undecided', async () => {
    // As with a million of buyers.
    const release = await holdData(olga, /\/operator\/snapshots$/)
    await olga.goto('/operator/delivery')
    await expect(olga.getByText('What every buyer owns is being counted')).toBeVisible()
    release()
    const decided = olga.getByRole('list', { name: 'What has to be decided' })
    await expect(decided).toContainText('Undecided')
    await expect(olga.getByRole('button', { name: 'Close the books' })).toBeDisabled()
    await expectAccessible(olga, 'books that cannot be closed yet')
    await takePictures(olga, 'console-delivery-undecided')
    await payByHttp(address, unpaid, unpaid.payment_amount ?? '')
    await mineBlocks(address, 3)
    await expect
      .poll(
        async () =>
          (await callProduct(address, snapshotsContract.getSnapshots, {}, operatorToken)).undecided,
        { timeout: 90_000 },
      )
      .toEqual([])
    await olga.reload()
    await olga.getByRole('button', { name: 'Close the books' }).click()
    await expectAccessible(olga, 'closing the books')
    await takePictures(olga, 'console-delivery-freeze', 'window')
    await dialog(olga).getByRole('button', { name: 'Close the books' }).click()
    await expectWaits(olga)
    // What waits stands above the rest, and comes with it however late it is known.
    await watchShifts(olga)
    const report = await holdData(olga, /\/operator\/approvals\?/)
    const counted = olga.waitForResponse(/\/operator\/snapshots$/)
    await olga.reload()
    await counted
    report()
    await expect(olga.getByRole('main')).toContainText('Olga Owner asked to close the books')
    await expect(card(olga, 'Close the books')).toBeVisible()
    expect(await readShifts(olga)).toEqual([])
    await openApproval(uma, /^Freeze/)
    await takePictures(uma, 'console-delivery-freeze-approval')
    await approveShown(uma)
    await olga.reload()
    await expect(card(olga, 'Snapshots')).toContainText('Snapshot 1')
    await expect(card(olga, 'Without a wallet')).toContainText('40')
    await expectAccessible(olga, 'closed books')
    await takePictures(olga, 'console-delivery-frozen')
  })

  await test.step('a list is made, published, and another one is withdrawn', async () => {
    await olga.goto('/operator/distributions')
    await takePictures(olga, 'console-distributions-none')
    await make(olga, { tool: /Uniswap/, picture: 'console-distribution-make' })
    await expect(card(olga, 'Files')).toContainText('SHA-256')
    await expectAccessible(olga, 'a distribution that was made')
    await takePictures(olga, 'console-distribution-made')
    const id = new URL(olga.url()).pathname.split('/').at(-1) ?? ''
    const made = await callProduct(
      address,
      distributionsContract.getDistribution,
      { params: { id } },
      operatorToken,
    )
    const contract = await chain.deploy(
      INDEXED_DISTRIBUTOR_BYTECODE,
      word(token) + word(made.root ?? ''),
    )
    // What is sent to the contract is copied from here: less would leave it short.
    await expect(olga.getByRole('button', { name: 'Copy Amount to send' })).toContainText(
      made.amount,
    )
    await chain.transferToken(token, contract, BigInt(made.amount_base_units))
    await chain.mine()
    await olga.getByRole('button', { name: 'Publish' }).click()
    await dialog(olga).getByLabel('Address of the distributor').fill(contract)
    await dialog(olga).getByLabel('Block in which it was made').fill('0')
    await dialog(olga).getByLabel('Can be claimed until').fill('2098-12-31T18:00:30')
    // What cannot be corrected later.
    await expect(dialog(olga)).toContainText(
      'claim on the sale’s own page, until Dec 31, 2098, 18:00:30 UTC',
    )
    await expectAccessible(olga, 'publishing')
    await takePictures(olga, 'console-distribution-publish', 'window')
    await dialog(olga).getByRole('button', { name: 'Publish' }).click()
    await expectWaits(olga)
    await expect(olga.getByText(/^Olga Owner asked to publish it/)).toBeVisible()
    await expect(olga.getByText('Waits for a second person', { exact: true })).toBeVisible()
    await expect(olga.getByRole('button', { name: 'Publish' })).toHaveCount(0)
    await expectAccessible(olga, 'a distribution that is to be published')
    await takePictures(olga, 'console-distribution-asked')
    await openApproval(uma, /^Publish distribution/)
    await takePictures(uma, 'console-distribution-approval')
    await approveShown(uma)
    await olga.reload()
    await expect(card(olga, 'Published')).toContainText('0 of 1')
    await expect(card(olga, 'Published').getByTitle('Dec 31, 2098, 18:00:30 UTC')).toBeVisible()
    await expectAccessible(olga, 'a published distribution')
    await takePictures(olga, 'console-distribution-published')

    await olga.goto('/operator/distributions')
    await make(olga, { tool: /Plain list/, howMuch: 'Everything' })
    await olga.getByRole('button', { name: 'Withdraw' }).click()
    await dialog(olga).getByLabel('Reason').fill('Nobody has used its files')
    await takePictures(olga, 'console-distribution-withdraw', 'window')
    await dialog(olga).getByRole('button', { name: 'Withdraw it' }).click()
    await expect(olga.getByText('Nobody has used its files')).toBeVisible()
    await takePictures(olga, 'console-distribution-withdrawn')
    // A dialog that closes goes a step back, which would abort a navigation that begins meanwhile.
    await olga.waitForFunction(() => !window.history.state?.openDialog)
    await olga.goto('/operator/distributions')
    await expect(olga.getByRole('table', { name: 'Distributions' })).toContainText('Withdrawn')
    await expectAccessible(olga, 'distributions')
    await takePictures(olga, 'console-distributions')
  })

  await test.step('one owner asks for another wallet, and only the other one makes it so', async () => {
    const other = anAddress()
    await olga.goto(`/operator/people/${buyer.user.id}`)
    const walletCard = card(olga, 'Receiving wallet')
    await expect(walletCard).toContainText('Not signed')
    const change = walletCard.getByRole('button', { name: 'Change the wallet' })

    // A team of one is promised no second person.
    await olga.route('**/operator/self', async (route) => {
      const self = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...self, is_alone: true } })
    })
    await olga.goto('/operator/approvals')
    await expect(olga.getByText('You are the only operator')).toBeVisible()
    await olga.goBack()
    await change.click()
    await expect(dialog(olga)).toContainText('You are the only operator')
    await expect(dialog(olga)).not.toContainText('second person')
    await expect(dialog(olga).getByRole('button', { name: 'Change it' })).toBeVisible()
    await olga.unroute('**/operator/self')
    await olga.reload()

    await change.click()
    await expect(dialog(olga)).toContainText('A second person has to approve it')
    await dialog(olga)
      .getByLabel('Address of the new wallet')
      .fill(`${other.slice(0, -1)}z`)
    await dialog(olga).getByLabel('Reason').fill('Has lost the key, and showed a passport')
    await dialog(olga).getByRole('button', { name: 'Ask for approval' }).click()
    await expect(dialog(olga).getByLabel('Address of the new wallet')).toHaveAttribute(
      'aria-invalid',
      'true',
    )
    await dialog(olga).getByLabel('Address of the new wallet').fill(other)
    await expectAccessible(olga, 'asking for another wallet')
    await takePictures(olga, 'console-wallet-change', 'window')
    await dialog(olga).getByRole('button', { name: 'Ask for approval' }).click()
    await expectWaits(olga)
    await expect(walletCard).toContainText('Olga Owner asked for another wallet')
    await expectAccessible(olga, 'a wallet that is to change')
    await takePictures(olga, 'console-wallet-asked')
    await walletCard.getByRole('link', { name: 'It waits for a second person' }).click()
    await expect(olga.getByText('You asked for this. Another person has to')).toBeVisible()
    await expect(olga.getByRole('button', { name: 'Approve' })).toHaveCount(0)

    const own = await callProduct(address, walletsContract.getOwnWallet, {}, buyer.accessToken)
    expect(own.wallet?.address).toBe(wallet)
    await openApproval(uma, /receiving wallet/)
    const heading = uma.getByRole('heading', { level: 1 })
    await expect(heading).toContainText(`to ${other.slice(0, 6)}…${other.slice(-4)}`)
    // In full, as one word.
    await expect(card(uma, 'What would be done')).toContainText(other)
    await expectAccessible(uma, 'another wallet that waits')
    await takePictures(uma, 'console-wallet-approval')
    await approveShown(uma)
    await olga.goto(`/operator/people/${buyer.user.id}`)
    await expect(walletCard.getByText('Replaced')).toBeVisible()
    await expect(walletCard).toContainText('counts once the snapshot is corrected')
    await takePictures(olga, 'console-wallet-changed')
    const now = await callProduct(address, walletsContract.getOwnWallet, {}, buyer.accessToken)
    expect(now.wallet?.address).toBe(other)
    const mailed = async () =>
      (await mailsTo(address, person.email)).filter((text) => text.includes(other)).length
    await expect.poll(mailed, 'one when it was asked for, one when it was done').toBe(2)
  })

  await test.step('the snapshot is corrected, and what it changed is shown', async () => {
    await olga.goto('/operator/delivery/snapshots/2')
    await expect(olga.getByText('The wallet has changed')).toBeVisible()
    await takePictures(olga, 'console-delivery-difference')
    await olga.goto('/operator/delivery')
    await olga.getByRole('button', { name: 'Correct the snapshot' }).click()
    await dialog(olga).getByLabel('Reason').fill('A buyer has another wallet')
    await takePictures(olga, 'console-delivery-correct', 'window')
    await dialog(olga).getByRole('button', { name: 'Take the next snapshot' }).click()
    await expectWaits(olga)
    await openApproval(uma, /^Correct/)
    await approveShown(uma)
    await olga.goto('/operator/delivery')
    await expect(card(olga, 'Snapshots')).toContainText('A buyer has another wallet')
    await expectAccessible(olga, 'a corrected snapshot')
    await takePictures(olga, 'console-delivery-corrected')
  })
  // An address that cannot be one was tried.
  excuseStatus(ownFaults, 400)
  expect(faults.flat(), 'errors of the console').toEqual([])
})

/** Makes a distribution by a tool, and leaves its page open. */
async function make(
  page: Page,
  { tool, howMuch, picture }: { tool: RegExp; howMuch?: string; picture?: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Make a distribution' }).click()
  await dialog(page)
    .getByRole('button', { name: /With which tool/ })
    .click()
  await page.getByRole('option', { name: tool }).click()
  if (howMuch !== undefined) {
    await dialog(page)
      .getByRole('button', { name: /How much/ })
      .click()
    await page.getByRole('option', { name: howMuch }).click()
  }
  if (picture !== undefined) await takePictures(page, picture, 'window')
  await dialog(page).getByRole('button', { name: 'Make the files' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Distribution \d/ })).toBeVisible()
}

/** The texts of the mails to somebody. */
async function mailsTo(address: string, to: string): Promise<string[]> {
  const mails = await callProduct(address, sandboxContract.listMails, { query: { to } })
  return mails.map(({ text }) => text)
}
