import { setTimeout } from 'node:timers/promises'

import { expect, type Route } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { allowCutOff } from '#tests/e2e/kit/sale.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

type Bought = { id: string; email: string }

/** Somebody who bought for $250 and paid it. */
async function aBuyer(address: string): Promise<Bought> {
  const registration = aRegistration({ first_name: 'Ada', last_name: 'Lovelace' })
  const { data } = await callProduct(address, authContract.register, { body: registration })
  const bought = await callProduct(
    address,
    transactionsContract.createTransaction,
    { headers: {}, body: { purchase_amount: 250, purchase_token_id: 'eth' } },
    data.tokens.access.token,
  )
  const purchase = bought.data
  await callProduct(address, sandboxContract.pay, {
    body: { address: purchase.payment_address ?? '', amount: purchase.payment_amount ?? '' },
  })
  await callProduct(address, sandboxContract.mineBlocks, { body: { count: 3 } })
  return { id: purchase.id, email: registration.email }
}

test('support follows a purchase from the search to its refund', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(240_000)
  const bought = await aBuyer(product.address)
  await signInAsOperator(page, product, 'owner', 'Olga Owner')

  await test.step('the list', async () => {
    await page.goto('/operator/purchases')
    await expect(page.getByRole('table', { name: 'Purchases' })).toContainText(bought.email)
    await expectAccessible(page, 'purchases')
    await takePictures(page, 'console-purchases')
  })

  await test.step('one field finds it, and the address keeps what was looked for', async () => {
    const number = purchaseNumber(bought.id)
    const field = page.getByRole('searchbox', { name: 'Find a purchase' })
    await field.fill('0000-0000')
    await expect(page.getByText('No purchases match')).toBeVisible()
    await expect(page).toHaveURL(/q=0000-0000/)
    await field.fill(number)
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.mouse.wheel(0, 200)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await page.getByRole('link', { name: number }).click()
    await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
    await expect.poll(() => page.evaluate(() => scrollY), 'it starts at its top').toBe(0)
    await expect(page).toHaveTitle('Purchases · Console')
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  const story = page.getByRole('region', { name: 'What happened' })
  await test.step('its story has what came, and what became of it', async () => {
    await expect(story).toContainText('Purchase made')
    await expect(story).toContainText('Payment confirmed')
    await expect(story).toContainText('Completed')
    await expect(story).toContainText('Mail: purchase completed')
    await expect(story).not.toContainText('→')
    await story.getByText('With the ledger').click()
    await expect(story).toContainText('→ the buyer')
    await expectAccessible(page, 'a purchase')
    await takePictures(page, 'console-purchase-ledger')
    await story.getByText('Story', { exact: true }).click()
  })

  const dialog = page.getByRole('dialog')
  await test.step('an act takes a reason, and stands in the story with who did it', async () => {
    await page.getByRole('button', { name: 'Hold', exact: true }).click()
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
    await expect(dialog).toContainText('Say in a few words why.')
    await takePictures(page, 'console-hold', 'window')
    await dialog.getByLabel('Reason').fill('Whose money is it?')
    await page.route('**/hold', (route) => route.abort(), { times: 1 })
    // The page is not up to date yet when they try again.
    const slowly = async (route: Route) => {
      await setTimeout(3000)
      await route.fallback()
    }
    await page.route(`**/api/v1/operator/purchases/${bought.id}`, slowly, { times: 1 })
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
    await expect(dialog).toContainText('Check whether it was done before you try again.')
    allowCutOff(faults)
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
    await expect(story).toContainText('Held by Olga Owner')
    await expect(page.getByText('The purchase is held')).toBeVisible()
    await expect(story).toContainText('Whose money is it?')
    await expect(page.getByRole('button', { name: 'Hold', exact: true })).toBeHidden()
    // Not awaited: a toast goes by itself.
    expect(await page.getByText('Check whether it was done').count()).toBe(0)
    await page.getByRole('button', { name: 'Hold for another reason' }).click()
    await dialog.getByLabel('Reason').fill('The bank asks too')
    await dialog.getByRole('button', { name: 'Hold for another reason' }).click()
    await expect(story).toContainText('The bank asks too')
  })

  await test.step('what somebody else decides meanwhile is shown before it is undone', async () => {
    await page.getByRole('button', { name: 'Fail', exact: true }).click()
    await dialog.getByLabel('Reason').fill('It was not theirs')
    const body = { reason: 'Police: stolen coins' }
    const hold = { params: { id: bought.id }, headers: { 'operator-name': 'Bob' }, body }
    await callProduct(product.address, operatorContract.holdPurchase, hold, product.operatorToken)
    await dialog.getByRole('button', { name: 'Fail', exact: true }).click()
    await expect(dialog).toContainText('The purchase was held since you looked.')
    await expect(dialog.getByRole('status')).toContainText('Police: stolen coins')
    await expect(story).not.toContainText('Owed back')
  })

  await test.step('what fails is owed back, and is marked as paid', async () => {
    await dialog.getByRole('button', { name: 'Fail', exact: true }).click()
    await expect(story).toContainText('Owed back')
    await page.getByRole('link', { name: 'Refunds', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Total owed' })).toContainText(
      '1 refund, Ethereum (ERC20)',
    )
    await expectAccessible(page, 'refunds')
    await takePictures(page, 'console-refunds')
    const list = '**/operator/refunds?*'
    await page.route(list, async (route) => {
      const shown = await (await route.fetch()).json()
      const data = shown.data.map((refund: object) => ({ ...refund, is_held: true }))
      await route.fulfill({ json: { ...shown, data } })
    })
    await page.reload()
    const refunds = page.getByRole('table', { name: 'Refunds' })
    await expect(refunds.getByText('Held', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0)
    await page.unroute(list)
    await page.reload()
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog).toContainText('Send exactly')
    await expect(dialog).toContainText('a late payment could otherwise be credited together')
    await page.route(list, async (route) => {
      const shown = await (await route.fetch()).json()
      const counts = { ...shown.counts, open: 0, promised: 1 }
      await route.fulfill({ json: { ...shown, data: [], counts } })
    })
    await expect(dialog, 'somebody else has dealt with it').toContainText('Do not send it', {
      timeout: 30_000,
    })
    await expect(dialog).not.toContainText('Send exactly')
    await expect(page.getByText('Nothing else is owed back')).toBeVisible()
    await expect(page.getByText('Total owed, promised included')).toBeVisible()
    await page.unroute(list)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog).toContainText('ETH on Ethereum (ERC20)')
    await expect(dialog).toContainText(`${purchaseNumber(bought.id)}, ${bought.email}`)
    await dialog.getByLabel(/^Hash/).fill('no')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog).toContainText('Must be the hash of a transaction')
    await takePictures(page, 'console-pay', 'window')
    await dialog.getByLabel(/^Hash/).fill('sandbox-went-back')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(page.getByText('Nothing is owed back')).toBeVisible()
    await page.goto(`/operator/purchases/${bought.id}`)
    await expect(story).toContainText('Paid back')
    await takePictures(page, 'console-purchase')
  })

  await test.step('its buyer', async () => {
    await page.getByRole('link', { name: bought.email }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Purchases' })).toContainText('Failed')
    await expect(page.getByRole('main')).toContainText('NationalityUnited Kingdom')
    await expectAccessible(page, 'a person')
    await takePictures(page, 'console-person')
    await page.getByRole('button', { name: 'Require a new password' }).click()
    await dialog.getByRole('button', { name: 'Require a new password' }).click()
    await expect(page.getByRole('list', { name: 'Acts by operators' })).toContainText(
      'A new password required by Olga Owner',
    )
    await page.getByRole('button', { name: 'Erase this person' }).click()
    await dialog.getByLabel(/^Type/).fill('somebody@example.com')
    await dialog.getByRole('button', { name: 'Erase for good' }).click()
    await expect(dialog).toContainText('This is not the email address of this user')
    await takePictures(page, 'console-erase', 'window')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await expect(page.getByRole('table', { name: 'People' })).toContainText(bought.email)
    await expectAccessible(page, 'people')
    await takePictures(page, 'console-people')
  })
  // An invalid hash, an invalid address and what was not seen are refused, and a browser logs that.
  const refused = faults.filter((fault) => /status of 4(00|09)/.test(fault))
  expect(refused).toHaveLength(3)
  faults.splice(0, faults.length, ...faults.filter((fault) => !refused.includes(fault)))
})
