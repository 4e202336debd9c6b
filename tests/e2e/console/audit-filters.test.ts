import { expect } from '@playwright/test'

import { buyByHttp } from '#tests/e2e/kit/buying.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

test('a search keeps the focus while somebody types, until all filters are cleared', async ({
  page,
  product,
}) => {
  await signInAsOperator(page, product, 'owner', 'Olga Owner')
  await page.goto('/operator/audit')
  const who = page.getByLabel('Who')
  await who.pressSequentially('Ol')
  await expect(page).toHaveURL(/\?who=Ol$/)
  await expect(who).toBeFocused()
  await page.keyboard.type('ga')
  await expect(page).toHaveURL(/\?who=Olga$/)
  await expect(who).toHaveValue('Olga')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL(/\/audit$/)
  await expect(who).toHaveValue('')
})

test('a filter whose days are the wrong way round says so', async ({ page, product }) => {
  await signInAsOperator(page, product, 'owner')
  for (const list of ['purchases', 'audit']) {
    await page.goto(`/operator/${list}?from=2030-02-02&to=2030-01-01`)
    const to = page.getByLabel('To', { exact: true })
    await expect(to).toHaveAccessibleDescription('This day is before From')
    await to.fill('2030-02-02')
    await expect(to).toHaveAccessibleDescription('')
  }
})

test('a list of purchases says on a phone whose they are', async ({ page, product }) => {
  const buyer = somebody('Bea')
  const session = await registerPerson(product.address, buyer)
  await buyByHttp(product.address, session, 100)
  await signInAsOperator(page, product, 'owner')
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/operator/purchases')
  const table = page.getByRole('table', { name: 'Purchases' })
  await expect(table.getByText(buyer.email)).toBeVisible()
})
