import { expect } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { excuseStatus } from '#tests/e2e/kit/account.ts'
import { holdBack } from '#tests/e2e/kit/buying.ts'
import {
  addVirtualAuthenticator,
  inviteByHttp,
  signInAsOperator,
} from '#tests/e2e/kit/console/operators.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test('somebody is invited, makes a passkey, and signs in with it alone', async ({
  page,
  product,
  faults,
}) => {
  await addVirtualAuthenticator(page)
  const link = await inviteByHttp(product, { email: 'grace@example.com', role: 'owner' })
  await page.goto(link)
  await expect(page.getByText('grace@example.com')).toBeVisible()
  expect(page.url()).not.toContain('#')
  await takePictures(page, 'console-accept')
  await expectAccessible(page, 'an invitation')
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('New password', { exact: true }).fill('correct horse 1 battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Your second factor' })).toBeVisible()
  await takePictures(page, 'console-factor')
  await expectAccessible(page, 'the choice of a second factor')
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await expect(page.getByRole('list', { name: 'Recovery codes' }).locator('li')).toHaveCount(10)
  await takePictures(page, 'console-codes')
  await expectAccessible(page, 'the recovery codes')
  await page.getByText('I have saved them').click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(page).toHaveTitle('Overview · Console')

  await page.goto('/operator/me')
  await expect(page.getByText('Joined by an invitation')).toBeVisible()
  await expect(page.getByText('An old invitation was tried')).toHaveCount(0)
  await page.goto('/operator/audit')
  const rows = page.getByRole('table', { name: 'What operators did' }).getByRole('link')
  const row = await rows.first().innerText()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('Your session has ended')).toHaveCount(0)
  await page.goto(`/operator/audit?row=${row}`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await takePictures(page, 'console-sign-in')
  await expectAccessible(page, 'the sign-in')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse 1 battery')
  await page.getByLabel(/^Code from your app/).fill('123456')
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  await expect(page.getByText('do not match')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  // What was asked for before the sign-in is there, and can be left.
  await expect(page.getByRole('dialog')).toContainText(`Row ${row}`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(/\/operator\/audit$/)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await takePictures(page, 'console-link-used')
  // A server that does not answer says nothing of the link.
  await page.route('**/operator/accept/open', (route) => route.fulfill({ status: 503 }))
  await page.goto('/operator/sign-in')
  await page.goto(link)
  await expect(page.getByText('The invitation could not be loaded')).toBeVisible()
  await page.unroute('**/operator/accept/open')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  excuseStatus(faults, 503)
  excuseStatus(faults, 401)
  excuseStatus(faults, 400)
})

test('an operator looks after their account: passkeys, codes, sessions', async ({
  page,
  product,
  faults,
}) => {
  await addVirtualAuthenticator(page)
  const { password } = await signInAsOperator(page, product, 'viewer')
  await page.goto('/operator/me')
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn it off' }).click()
  await expect(page.getByText('or whoever runs the server, to reset')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const passkeys = page.getByRole('list', { name: 'Passkeys' })
  await expect(passkeys.locator('li')).toHaveCount(1)
  await expect(page.getByRole('table', { name: 'Security history' })).toContainText(
    'A passkey was added',
  )
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn it off' }).click()
  await expect(page.getByRole('button', { name: 'Set it up' })).toBeVisible()
  await passkeys.getByRole('button', { name: /^Remove/ }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('This is your last second factor')).toBeVisible()
  await takePictures(page, 'console-last-factor', 'window')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await takePictures(page, 'console-me')
  await expectAccessible(page, 'one’s own account')
  excuseStatus(faults, 409)
})

test('an owner invites somebody and takes it back; a viewer is offered neither', async ({
  page,
  product,
}) => {
  await signInAsOperator(page, product, 'owner')
  await page.goto('/operator/operators')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill('alan@example.com')
  await page.getByRole('radio', { name: 'finance' }).check({ force: true })
  await takePictures(page, 'console-invite', 'window')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText(/\/operator\/accept#/)).toBeVisible()
  await takePictures(page, 'console-invited', 'window')
  await page.getByRole('button', { name: 'Done' }).click()
  const invitations = page.getByRole('table', { name: 'Open invitations' })
  await expect(invitations).toContainText('alan@example.com')
  await takePictures(page, 'console-operators')
  await expectAccessible(page, 'the operators')
  await page.getByRole('button', { name: 'Take back the invitation of alan@example.com' }).click()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByText('No open invitations')).toBeVisible()

  await page.context().clearCookies()
  await signInAsOperator(page, product, 'viewer', 'Vera')
  await page.goto('/operator/operators')
  await expect(page.getByRole('table', { name: 'Team' })).toContainText('Vera')
  await expect(page.getByRole('button', { name: 'Invite somebody' })).toHaveCount(0)

  await page.context().clearCookies()
  await signInAsOperator(page, product, 'owner')
  await page.goto('/operator/operators')
  await page.getByRole('button', { name: 'Change Vera', exact: true }).click()
  await page.getByRole('button', { name: 'Reset second factors' }).click()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This sandbox has no mail server, so no link reaches Vera')
  await expect(dialog).toContainText('npm run operator -- operators reset ')
  await takePictures(page, 'console-reset-not-mailed', 'window')
  await dialog.getByRole('button', { name: 'Done' }).click()
})

test('a page that nobody touches ends its session, although it asks for new figures', async ({
  page,
  product,
  faults,
}) => {
  await signInAsOperator(page, product, 'viewer')
  await page.clock.install()
  await page.goto('/operator')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.clock.fastForward('29:00')
  await page.mouse.move(100, 100)
  await page.clock.fastForward('29:00')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.clock.fastForward('02:00')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await page.goto('/operator/operators')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  excuseStatus(faults, 401)
})

test('a page whose session has ended on the server is left by its button, and when nobody touches it', async ({
  page,
  product,
  faults,
}) => {
  await page.clock.install()
  const leaves = [
    () => page.getByRole('button', { name: 'Sign out' }).click(),
    () => page.clock.fastForward('31:00'),
  ]
  const foundOver = async () => {
    await page.clock.fastForward('00:20')
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByText('Your session has ended')).toBeVisible()
  }
  for (const leave of [...leaves, foundOver]) {
    await signInAsOperator(page, product, 'viewer')
    await page.goto('/operator/audit')
    await expect(page.getByRole('table', { name: 'What operators did' })).toBeVisible()
    await page.context().clearCookies()
    await leave()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  }
  excuseStatus(faults, 401)
})

test('a tab in which another operator is signed in now shows nothing of the one before', async ({
  page,
  product,
  faults,
}) => {
  const buyer = somebody('Bert')
  await registerPerson(product.address, buyer)
  await signInAsOperator(page, product, 'owner')
  await page.clock.install()
  await page.goto('/operator/people')
  const shown = page.getByText(buyer.email)
  await expect(shown).toBeVisible()
  const path = '**/operator/people?*'
  const { held } = await holdBack(page, path)
  await signInAsOperator(page, product, 'viewer', 'Vera')
  await page.clock.fastForward('00:20')
  // The tab comes to the front.
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('Vera', { exact: true })).toBeVisible()
  await expect(shown).toHaveCount(0)
  await page.unroute(path)
  for (const route of held) await route.continue()
  await expect(page.getByText('You may not see this')).toBeVisible()
  excuseStatus(faults, 403)
})
