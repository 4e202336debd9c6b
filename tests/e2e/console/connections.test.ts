import { expect, type Page } from '@playwright/test'

import { operatorContract } from '#contract/operator/operations.ts'
import {
  answerWith,
  startWebhookReceiver,
  verify,
  type WebhookReceiver,
} from '#tests/kit/connections/webhook-receiver.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

let receiver: WebhookReceiver

test.beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
test.afterAll(() => receiver.close())

/** What the dialog shows once, and no other page again. */
async function takeSecret(page: Page, label: string): Promise<string> {
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('it is not shown again')).toBeVisible()
  const field = dialog.getByRole('button', { name: label })
  const secret = (await field.getAttribute('data-copy-value')) ?? ''
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await expect(dialog).toBeHidden()
  return secret
}

test('what is shown once is closed by nothing but its own button', async ({ page, product }) => {
  const { password } = await signInAsOperator(page, product, 'owner')
  const dialog = page.getByRole('dialog')
  async function expectHeld() {
    await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 300)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => 'openDialog' in window.history.state)).toBe(true)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => 'openDialog' in window.history.state)).toBe(true)
    await expect(dialog).toBeVisible()
  }

  await page.goto('/operator/connections')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await dialog.getByLabel('What it is for').fill('Shown once')
  await dialog.getByRole('checkbox', { name: 'See how the sale stands' }).check()
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await expect(dialog).toContainText('it is not shown again')
  await expectHeld()
  await takeSecret(page, 'Key')
  await expect(page).toHaveURL(/\/operator\/connections$/)

  await page.goto('/operator/me')
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Make ten new codes' }).click()
  await expect(dialog.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
  await expectHeld()
  await dialog.getByText('I have saved them').click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)

  await page.goto('/operator/operators')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const email = `ivy-${process.pid}@example.com`
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog).toContainText('is not shown again')
  await expectHeld()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Take back the invitation of ${email}` }).click()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(dialog).toHaveCount(0)
})

test('an owner connects a receiver, tries it, and sends again what failed', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(240_000)
  await signInAsOperator(page, product, 'owner', 'Olga Owner')
  await page.goto('/operator/connections')
  await expect(page.getByText('No endpoint yet')).toBeVisible()
  await expectAccessible(page, 'connections without any')
  await takePictures(page, 'console-connections-empty')

  const secret = await test.step('an address that is private is refused in words', async () => {
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' })
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook')
    await dialog.getByLabel('Description').fill('Our books')
    await dialog.getByRole('button', { name: 'Choose all' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByText('an address of a private network')).toBeVisible()
    faults.length = 0
    await takePictures(page, 'console-connections-add', 'window')
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByText('it is not shown again')).toBeVisible()
    await takePictures(page, 'console-connections-secret', 'window')
    return await takeSecret(page, 'Signing secret')
  })

  await test.step('a test arrives, signed', async () => {
    await page.getByRole('link', { name: 'Our books' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click()
    await expect.poll(() => receiver.types()).toEqual(['webhook.test'])
    const [sent] = receiver.received
    if (sent !== undefined) verify(secret, sent)
    const table = page.getByRole('table', { name: 'Deliveries' })
    await expect(async () => {
      await page.reload()
      await expect(table).toContainText('Delivered', { timeout: 2_000 })
    }).toPass()
  })

  await test.step('what failed says why, and is sent again with the same id', async () => {
    receiver.answer = answerWith(500)
    const pause = { body: { reason: 'A test' }, headers: {} }
    const cookies = await page.context().cookies()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const paused = await page.request.post(`${product.address}/api/v1/operator/pause`, {
      data: pause.body,
      headers: { cookie },
    })
    expect(paused.ok()).toBe(true)
    await expect.poll(() => receiver.types()).toContain('sale.paused')
    const row = page.getByRole('row', { name: /sale\.paused/ })
    await expect(async () => {
      await page.reload()
      await expect(row).toContainText('Trying again', { timeout: 2_000 })
    }).toPass()
    await expectAccessible(page, 'an endpoint')
    await takePictures(page, 'console-endpoint')
    await row.getByRole('button', { name: /Show/ }).click()
    await expect(page.getByRole('dialog')).toContainText('Answered with status 500')
    await takePictures(page, 'console-delivery', 'window')
    receiver.answer = answerWith(204)
    await page.getByRole('dialog').getByRole('button', { name: 'Send it again' }).click()
    await expect(page.getByText('It is sent again, with the same id.')).toBeVisible()
    await expect
      .poll(() => receiver.types().filter((type) => type === 'sale.paused').length)
      .toBeGreaterThan(1)
    const ids = receiver.received
      .filter(({ body }) => body.includes('sale.paused'))
      .map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    // Other tests buy from the same product.
    const resume = { body: {}, headers: {} }
    const { address, operatorToken } = product
    await callProduct(address, operatorContract.resumeSale, resume, operatorToken)
  })

  await test.step('a second new secret within a day says which one it ends', async () => {
    const dialog = page.getByRole('dialog', { name: 'Make a new secret' })
    await page.getByRole('button', { name: 'New secret' }).click()
    await expect(dialog).toContainText('signed with both')
    await expect(dialog).not.toContainText('at once')
    await dialog.getByRole('button', { name: 'Make a new secret' }).click()
    await takeSecret(page, 'Signing secret')
    await page.getByRole('button', { name: 'New secret' }).click()
    await expect(dialog).toContainText('The secret before these two')
    await takePictures(page, 'console-endpoint-secret', 'window')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('a key is shown once, and calls what it may', async () => {
    await page.goto('/operator/connections')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a key' })
    await dialog.getByLabel('What it is for').fill('Bookkeeping')
    await dialog.getByRole('checkbox', { name: 'See how the sale stands' }).check()
    await takePictures(page, 'console-key', 'window')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    const key = await takeSecret(page, 'Key')
    const state = await callProduct(product.address, operatorContract.getSaleState, {}, key)
    expect(state.status).toBe('ACTIVE')
    await expect(page.getByRole('table', { name: 'API keys' })).toContainText('Bookkeeping')
    await expect(page.getByText(key)).toHaveCount(0)
    await expectAccessible(page, 'connections')
    await takePictures(page, 'console-connections')
    // However little room the columns beside it leave, its word is not broken.
    await page.setViewportSize({ width: 1024, height: 800 })
    const end = page.getByRole('button', { name: 'End the key Bookkeeping' })
    expect((await end.boundingBox())?.height).toBeLessThan(40)
    await end.click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
    await expect(page.getByRole('table', { name: 'API keys' })).toContainText('Ended')
  })
})
