import { expect as promptly } from '@playwright/test'

import { excuseStatus } from '#tests/e2e/kit/account.ts'
import { refusal } from '#tests/e2e/kit/buying.ts'
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

test('whoever decides what somebody else has just decided is told so', async ({
  page,
  product,
  faults,
}) => {
  const id = '00000000-0000-4000-8000-000000000002'
  const date = '2026-01-02T03:04:05.000Z'
  const approval = {
    id,
    act: 'releasePurchase',
    summary: 'Release a purchase that was held',
    about: id,
    input: { id },
    hash: 'ab'.repeat(32),
    refund: null,
    amount_fiat: null,
    state: 'waiting',
    asked_by: { id: null, name: 'Ada' },
    asked_person_id: null,
    asked_date: date,
    permission: 'purchases.release',
    expires_date: date,
    decided_by: null as { id: null; name: string } | null,
    decided_date: null as string | null,
    reason: null,
  }
  await page.route(`**/operator/approvals/${id}`, async (route) => {
    await (route.request().isNavigationRequest()
      ? route.continue()
      : route.fulfill({ json: approval }))
  })
  await page.route('**/refuse', async (route) => {
    Object.assign(approval, {
      state: 'done',
      decided_by: { id: null, name: 'Uma' },
      decided_date: date,
    })
    await route.fulfill(refusal(409, 'ApprovalClosed', 'Somebody else was quicker'))
  })
  await signInAsOperator(page, product, 'owner')
  await page.goto(`/operator/approvals/${id}`)
  await page.getByRole('button', { name: 'Refuse' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('They never called')
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Somebody else was quicker')).toBeVisible()
  excuseStatus(faults, 409)
})
