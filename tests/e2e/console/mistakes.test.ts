import { expect as promptly } from '@playwright/test'

import { excuseStatus } from '#tests/e2e/kit/account.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { card } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** Several browsers and a server may share one processor. */
const expect = promptly.configure({ timeout: 30_000 })

test('whoever searches, verifies or chooses something wrong reads what was expected', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  await signInAsOperator(page, product, 'owner')

  await page.goto('/operator/people')
  await page.getByRole('searchbox', { name: 'Find somebody' }).fill('ada')
  await expect(page.getByText('Give a whole email address, or the id of a user')).toBeVisible()
  await expect(page.getByText('Nobody found')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('This is as of')

  await page.goto('/operator/audit')
  const field = page.getByLabel('A hash that you kept')
  const verify = page.getByRole('button', { name: 'Verify' })
  await field.fill('what the mail says')
  await verify.click()
  const chain = card(page, 'The hash chain')
  await expect(chain).toContainText('Give a hash of 64 hexadecimal digits')
  await expect(chain).not.toContainText('Some fields are incorrect')
  const hash = /[0-9a-f]{64}/.exec(await chain.innerText())?.[0] ?? ''
  await field.fill(`${hash.slice(0, 40)} ${hash.slice(40)}`)
  await verify.click()
  await expect(chain).toContainText('unchanged since')

  await page.goto('/operator/sale')
  const picture = {
    name: 'sale.yaml',
    mimeType: 'image/png',
    buffer: Buffer.from('\u0089PNG\u0000'),
  }
  await page.getByLabel('Sale file', { exact: true }).setInputFiles(picture)
  await expect(card(page, 'A new sale file')).toContainText('This is no text')
  excuseStatus(faults, 400)
})
