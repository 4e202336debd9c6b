import { expect, type Page } from '@playwright/test'

import { operatorContract } from '#contract/operator/operations.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { expectNeverLoaded, mark } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

const BEFORE = `${SMALL_SALE_FILE}banners:
  - { id: news, message: The pear is ripe., tone: info }
`
const AFTER = BEFORE.replace('The pear is ripe.', 'The last days of the first stage.')
  .replace('name: First', 'name: Opening')
  .replace('min_amount_fiat: 10', 'min_amount_fiat: 20')
const FAULTY = AFTER.replace('total_tokens: 1000', 'total_tokens: many')
const FAULTY_LINE = FAULTY.split('\n').findIndex((line) => line.includes('many')) + 1

test.use({ saleFile: BEFORE })

const drop = (page: Page, text: string) =>
  page
    .getByLabel('Sale file', { exact: true })
    .setInputFiles({ name: 'sale.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) })

test('a sale file is checked, applied, and on a buyer’s open page without a reload', async ({
  page,
  context,
  product,
}) => {
  const person = somebody('Lina')
  await registerPerson(product.address, person)
  const streams = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'))
  await enter(page, person)
  await streams
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect(notices).toContainText('The pear is ripe.')
  await mark(page)

  const desk = await context.newPage()
  await signInAsOperator(desk, product, 'owner', 'Olga')
  await desk.goto('/operator/sale')
  const stages = desk.getByRole('table', { name: 'Stages' })
  await expect(stages).toContainText('First')
  await expectAccessible(desk, 'the sale at the console')

  await drop(desk, FAULTY)
  const faults = desk.getByRole('list', { name: 'Faults' })
  await expect(faults).toContainText(`Line ${FAULTY_LINE}`)
  await expect(faults).toContainText('total_tokens: many')
  await expect(desk.getByRole('button', { name: 'Apply it' })).toBeHidden()

  const section = (name: string) =>
    desk.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name })
  await desk.getByLabel('Or write it here').fill('a file that is not finished')
  await section('Overview').click()
  await section('Sale').click()
  await expect(desk.getByLabel('Or write it here')).toHaveValue('a file that is not finished')

  await drop(desk, AFTER)
  const changes = desk.getByRole('list', { name: 'Changes' }).last()
  await expect(desk.getByText('It can be applied: 3 changes')).toBeVisible()
  await expect(changes.getByText('Changes money')).toHaveCount(1)
  await expectAccessible(desk, 'the changes of a sale file')
  await takePictures(desk, 'console-sale-changes')
  await expect(notices, 'a check applies nothing').toContainText('The pear is ripe.')

  await desk.getByRole('button', { name: 'Apply it' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(desk.getByText('The sale file is applied on every instance.')).toBeVisible()
  await expect(stages).toContainText('Opening')
  await section('Overview').click()
  await section('Sale').click()
  await expect(desk.getByLabel('Or write it here'), 'what is applied is no draft').toHaveValue('')
  await expect(desk.getByText('by Olga, while the sale ran')).toBeVisible()

  await expect(notices).toContainText('The last days of the first stage.')
  await expect(page.getByText('Opening').first()).toBeVisible()
  await expectNeverLoaded(page)
})

test('the sale is paused with a reason, which is shown, and goes on', async ({
  page,
  product,
  faults,
}) => {
  await signInAsOperator(page, product, 'owner', 'Olga')
  await page.goto('/operator/sale')
  await page.getByRole('button', { name: 'Pause the sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(dialog.getByText('Say in a few words why.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('The node is being moved')
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByText('The node is being moved')).toBeVisible()
  await page.getByRole('button', { name: 'Pause for another reason' }).click()
  await dialog.getByLabel('Reason').fill('The price feed is wrong')
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByText('The price feed is wrong')).toBeVisible()
  await page.getByRole('button', { name: 'Resume the sale' }).click()
  const pause = { body: { reason: 'Police: stolen coins' }, headers: { 'operator-name': 'Bob' } }
  const { address, operatorToken } = product
  await callProduct(address, operatorContract.pauseSale, pause, operatorToken)
  await dialog.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(dialog).toContainText('The sale was paused or resumed since you looked.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Police: stolen coins')).toBeVisible()
  await page.getByRole('button', { name: 'Resume the sale' }).click()
  await dialog.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pause the sale' })).toBeVisible()
  // What was not seen is refused, which a browser logs to its console.
  expect(faults.splice(0)).toEqual([expect.stringContaining('status of 409')])
})
