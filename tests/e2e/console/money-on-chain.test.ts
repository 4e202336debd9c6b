import { readFile } from 'node:fs/promises'

import { expect as promptly, type Locator } from '@playwright/test'

import { SweepList, sweepsContract } from '#contract/operator/sweeps.ts'
import { sweepTransactionStates } from '#domain/chains/sweep-states.ts'
import * as z from 'zod/mini'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp, enterAsNewBuyer } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { CONFIRMATIONS, test, TREASURY } from '#tests/e2e/kit/wallet-product.ts'
import { addressOf, dueOf } from '#tests/kit/servers/evm-app.ts'
import { signSweep } from '#tools/keys/sign-sweep.ts'

/** The server looks at its chains every second, and carries sweeps every five. */
const expect = promptly.configure({ timeout: 20_000 })
const ETHER = 10n ** 18n

/** How many lines the words of an element take up. */
const linesOf = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getClientRects().length
  })

test('what purchases were paid is swept to the treasury, as the console lists and shows it', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000)
  const { address, chain, usdt, words, operatorToken } = product
  const { session } = await enterAsNewBuyer(page, address, 'Swen')
  const inCoins = await buyByHttp(address, session, 100, 'eth')
  const inTokens = await buyByHttp(address, session, 100, 'usdt')
  await chain.send({ to: addressOf(inCoins), value: dueOf(inCoins) })
  await chain.transferToken(usdt, addressOf(inTokens), dueOf(inTokens))
  await chain.mine(CONFIRMATIONS)

  await signInAsOperator(page, product, 'owner', 'Olga Owner')
  await expect(async () => {
    await page.goto('/operator/sweeps')
    await expect(page.getByText(TREASURY.slice(-4)).first()).toBeVisible()
    // Other tests may have paid on this chain before.
    const lying = page.getByText(/^at .+, worth sweeping at [1-9]/)
    await expect(lying).toHaveCount(2, { timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  await expectAccessible(page, 'sweeps before one')
  await takePictures(page, 'console-sweeps-lying')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the list' }).click()
  const file = await (await downloading).path()
  const list = z.parse(SweepList, JSON.parse(await readFile(file, 'utf8')))
  const swept = list.transfers.map((transfer) => transfer.address.toLowerCase())
  expect(swept).toContain(addressOf(inCoins).toLowerCase())
  expect(swept).toContain(addressOf(inTokens).toLowerCase())
  await chain.send({ to: list.payer.address, value: ETHER })
  await chain.mine()
  const text = JSON.stringify(await signSweep(list, words, TREASURY))
  const headers = { 'operator-name': 'A test' }
  const send = { headers, body: { text } }
  await callProduct(address, sweepsContract.sendSweep, send, operatorToken)

  await expect(async () => {
    await chain.mine()
    await page.reload()
    await expect(page.getByText('Ended', { exact: true })).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 90_000 })
  await expect(
    page.getByRole('table', { name: 'Latest transfers from the addresses' }),
  ).toContainText('USDT')
  await expectAccessible(page, 'a sweep that has ended')
  await takePictures(page, 'console-sweeps-ended')
})

test('a signed sweep waits for approval only while somebody can approve it, and says what stopping it gives up', async ({
  page,
  product,
}) => {
  const [hash, date] = ['ab'.repeat(32), '2026-01-02T03:04:05.000Z']
  const none = Object.fromEntries(sweepTransactionStates.map((state) => [state, 0]))
  const sweep = {
    id: '00000000-0000-4000-8000-000000000001',
    chain: 'eip155:1',
    treasury: TREASURY,
    payer: TREASURY,
    state: 'kept',
    file_hash: hash,
    kept_date: date,
    opened_date: null,
    closed_date: null,
    counts: { ...none, waiting: 2 },
    totals: [],
    faults: [],
  }
  const asked = {
    id: '00000000-0000-4000-8000-000000000002',
    act: 'sendSweep',
    summary: 'Send 1 ETH to the treasury',
    about: hash,
    input: { hash },
    hash,
    amount_fiat: null,
    state: 'waiting',
    asked_by: { id: null, name: 'Ada' },
    asked_person_id: null,
    asked_date: date,
    permission: 'sweeps.manage',
    expires_date: date,
    decided_by: null,
    decided_date: null,
    reason: null,
  }
  let waiting: object[] = [asked]
  await page.route('**/api/v1/operator/sweeps', (route) =>
    route.fulfill({ json: { chains: [], sweeps: [sweep], movements: [] } }),
  )
  await page.route('**/api/v1/operator/approvals?*', (route) =>
    route.fulfill({ json: { data: waiting, after: null } }),
  )
  await signInAsOperator(page, product, 'owner', 'Olga Owner')
  await page.goto('/operator/sweeps')
  await expect(page.getByText('Waits for approval', { exact: true })).toBeVisible()
  waiting = []
  await page.reload()
  await expect(page.getByText('Not sent', { exact: true })).toBeVisible()
  await expect(page.getByText('Waits for approval', { exact: true })).toBeHidden()

  Object.assign(sweep, {
    state: 'open',
    opened_date: date,
    counts: { ...none, waiting: 1, sent: 1 },
  })
  await page.reload()
  await page.getByRole('button', { name: 'Stop the sweep' }).click()
  await expect(page.getByRole('dialog')).toContainText('What was sent continues')
  Object.assign(sweep, { counts: { ...none, sent: 2 } })
  await page.reload()
  await page.getByRole('button', { name: 'Stop the sweep' }).click()
  await expect(page.getByRole('dialog')).toContainText('this gives up what is in no block')
  await expect(page.getByRole('dialog')).not.toContainText('What was sent continues')
})

test('a token that the sale does not take is put away, or taken up as a debt', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address, chain } = product
  const { session } = await enterAsNewBuyer(page, address, 'Tara')
  const purchase = await buyByHttp(address, session, 100, 'eth')
  const [fake, real] = [await chain.deployToken(), await chain.deployToken()]
  await chain.transferToken(fake, addressOf(purchase), 5_000_000n)
  await chain.transferToken(fake, addressOf(purchase), 6_000_000n)
  await chain.transferToken(real, addressOf(purchase), 250_000_000n)
  await chain.mine(CONFIRMATIONS)

  await signInAsOperator(page, product, 'owner', 'Olga Owner')
  await page.goto('/operator/inbox?kind=foreign')
  await expect(page.getByText('Tokens arrived that the sale does not take')).toHaveCount(2)
  await expectAccessible(page, 'tokens in the inbox')
  // A long address beside it leaves the button little room.
  expect(await linesOf(page.getByRole('button', { name: /^Take:/ }).first())).toBe(1)
  await page.getByRole('link', { name: 'Take them up as a debt' }).first().click()

  const sums = page.getByRole('table', { name: 'By token' })
  const transfers = page.getByRole('table', { name: 'Transfers' })
  await expect(transfers.getByRole('button', { name: /^Take up/ })).toHaveCount(3)
  await expectAccessible(page, 'transfers of other tokens')
  await takePictures(page, 'console-other-tokens')
  const rowOf = (contract: string) =>
    sums.getByRole('row').filter({ hasText: new RegExp(contract.slice(-4), 'i') })
  await rowOf(fake)
    .getByRole('button', { name: /^Put all away/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Anybody can make it')
  await dialog.getByRole('button', { name: 'Put away' }).click()
  await expect(transfers.getByRole('button', { name: /^Take up/ })).toHaveCount(1)

  await transfers.getByRole('button', { name: /^Take up/ }).click()
  await expect(dialog).toContainText('Take this transfer up as a debt?')
  await dialog.getByLabel('Reason').fill('It is EURC, and its sender wrote to us')
  await expectAccessible(page, 'taking a transfer up')
  await dialog.getByRole('button', { name: 'Take it up' }).click()
  await expect(page.getByText('No transfers')).toBeVisible()
  await page.getByRole('radio', { name: 'Taken up' }).or(page.getByText('Taken up')).first().click()
  await expect(transfers).toContainText('It is EURC, and its sender wrote to us')
  await page.goto('/operator/refunds')
  await expect(page.getByText('250000000').or(page.getByText('250,000,000')).first()).toBeVisible()
})
