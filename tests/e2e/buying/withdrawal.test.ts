import { expect } from '@playwright/test'
import { sandboxContract } from '#contract/sandbox.ts'
import { buyByHttp, enterAsNewBuyer, mineBlocks, payByHttp } from '#tests/e2e/kit/buying.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { transactionDialog } from '#tests/e2e/kit/pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: `withdrawal: { days: 14 }\nsoft_cap_usd: 250000\n${buyingSaleFile()}`,
})

const devices = [
  { device: 'phone', width: 375, height: 812 },
  { device: 'desktop', width: 1280, height: 800 },
]

for (const { device, width, height } of devices) {
  test(`on a ${device} a buyer withdraws in two steps, and a mail confirms it`, async ({
    page,
    product,
    faults,
  }) => {
    await page.setViewportSize({ width, height })
    const { address } = product
    const { person, session } = await enterAsNewBuyer(page, address, 'Wanda')
    const purchase = await buyByHttp(address, session, 1000)
    await payByHttp(address, purchase, purchase.payment_amount ?? '')
    await mineBlocks(address, 3)
    await page.goto(`/buy?id=${purchase.id}`)
    const dialog = transactionDialog(page)
    await expect(dialog.locator('[data-situation="credited"]')).toBeVisible()
    const withdraw = dialog.getByRole('button', { name: 'Withdraw from the contract here' })
    await withdraw.scrollIntoViewIfNeeded()
    await takePictures(page, `withdrawal-function-${device}`, 'window')

    const statement = dialog.getByRole('region', { name: 'Your right to withdraw' })
    await withdraw.click()
    await expect(statement.getByText('I withdraw from this contract:')).toBeFocused()
    await dialog.getByRole('button', { name: 'Keep the purchase' }).click()
    await expect(withdraw).toBeFocused()
    await withdraw.click()
    await expect(statement).toContainText('I withdraw from this contract:')
    await expect(statement).toContainText('Wanda Tester')
    await expect(statement).toContainText(person.email)
    await expect(statement).toContainText('100,000 PEAR go back to the sale')
    const confirm = dialog.getByRole('button', { name: 'Confirm withdrawal' })
    await confirm.scrollIntoViewIfNeeded()
    await takePictures(page, `withdrawal-statement-${device}`, 'window')
    await dialog.getByLabel('Your password').fill('not the right one 1')
    await confirm.click()
    await expect(statement).toContainText('This password is wrong')
    faults.splice(0)
    await dialog.getByLabel('Your password').fill(person.password)
    await confirm.click()

    await expect(dialog.locator('[data-situation="withdrawn"]')).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Refund' })).toContainText('It goes back to you')
    await expect(withdraw).toHaveCount(0)
    await expect(dialog.locator('[data-tone]').first()).toHaveText('Withdrawn')
    await takePictures(page, `withdrawn-${device}`, 'window')
    const query = { to: person.email }
    await expect
      .poll(async () =>
        (await callProduct(address, sandboxContract.listMails, { query })).map(
          ({ subject }) => subject,
        ),
      )
      .toContainEqual(expect.stringMatching(/^You have withdrawn from your PEAR purchase/))
  })
}

test('on a device whose clock is wrong a buyer may withdraw as long as the server says', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Willa')
  const purchase = await buyByHttp(product.address, session, 1000)
  await page.clock.install({ time: Date.now() + 20 * 86_400_000 })
  await page.goto(`/buy?id=${purchase.id}`)
  const withdraw = page.getByRole('button', { name: 'Withdraw from the contract here' })
  await expect(withdraw).toBeVisible()
})

test('the sale page says what the sale has to raise', async ({ page, product }) => {
  await page.goto(`${product.address}/info`)
  await expect(page.getByText(/has to raise \$250K, and has raised \$0 so far/)).toBeVisible()
  await expect(page.getByText('its operators decide whether everyone gets a refund')).toBeVisible()
  await takePictures(page, 'soft-cap', 'window')
})
