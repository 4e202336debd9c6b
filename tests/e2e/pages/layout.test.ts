import { expect, type Locator } from '@playwright/test'

import { expectNoOverhang, mobileMenu, sidebar, targetOf } from '#tests/e2e/kit/layout.ts'
import { enter, openFromSidebar, storeSession } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const PHONE = { width: 375, height: 812 }

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Lara')
  await registerPerson(product.address, person)
})

test('the sidebar has its title, its entries in order, and the logout at the bottom', async ({
  page,
}) => {
  await enter(page, person)
  await expect(sidebar(page)).toContainText('PRESALE DASHBOARD')
  const entries = sidebar(page).getByRole('link')
  await expect(entries).toHaveText([
    'Dashboard',
    'Account',
    'Buy',
    'Referrals',
    'Promotions',
    'Info',
  ])
  expect(await targetOf(entries.last())).toEqual({
    href: 'https://huh.social/info',
    isBeside: true,
  })
  const logout = sidebar(page).getByRole('button', { name: 'Logout' })
  const [lowest, info] = [await logout.boundingBox(), await entries.last().boundingBox()]
  expect(lowest?.y ?? 0).toBeGreaterThan((info?.y ?? Infinity) + (info?.height ?? 0))
  expect((lowest?.y ?? 0) + (lowest?.height ?? 0)).toBeLessThanOrEqual(
    page.viewportSize()?.height ?? 0,
  )
  await logout.click()
  await page.waitForURL((url) => url.pathname === '/login')
  await expect(sidebar(page)).toBeHidden()
})

test('the header has the links of the project, and a Buy Now that does nothing', async ({
  page,
  context,
}) => {
  await page.goto('/login')
  const links = page.getByRole('navigation', { name: 'Project links' }).getByRole('link')
  const labels = ['Events', 'Documents', 'Tokenomics', 'Roadmap', 'Charity', 'NFT', 'HUH Swap']
  await expect(links).toHaveText([...labels, 'Contact'])
  for (const link of await links.all()) {
    const { href, isBeside } = await targetOf(link)
    expect(href).toMatch(/^https:\/\/huh\.social\//)
    expect(isBeside).toBe(true)
  }
  // Until the panel beside the form has its code, the page still changes.
  await page.waitForLoadState('networkidle')
  const before = await page.content()
  await page.getByRole('button', { name: 'Buy Now', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeFocused()
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(await page.content()).toBe(before)
  expect(context.pages()).toHaveLength(1)
})

test('Buy Now looks like the links beside it while it does nothing', async ({ page }) => {
  await page.goto('/login')
  const look = (locator: Locator) =>
    locator.evaluate((element) => {
      const { color, fontSize, borderTopWidth, backgroundColor } = getComputedStyle(element)
      return { color, fontSize, borderTopWidth, backgroundColor }
    })
  const links = page.getByRole('navigation', { name: 'Project links' }).getByRole('link')
  expect(await look(page.getByRole('button', { name: 'Buy Now' }))).toEqual(
    await look(links.first()),
  )
})

test('the brand leads visitors to the sale, and who is logged in to the dashboard', async ({
  page,
}) => {
  const brand = page.getByRole('banner').getByRole('link', { name: 'HUH Token' })
  await page.goto('/login')
  await brand.click()
  await page.waitForURL((url) => url.pathname === '/info')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Info', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await enter(page, person, '/account')
  await brand.click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('logged in, the footer is shorter, and has its groups all the same', async ({ page }) => {
  await enter(page, person, '/referrals')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('Where influence is currency')
  await expect(footer).toContainText('Launching August 2022')
  await expect(footer).toContainText('© 2022 HUH Token')
  await expect(footer.getByRole('link', { name: 'White paper' })).toBeVisible()
  expect((await footer.boundingBox())?.height ?? Infinity).toBeLessThan(320)
  await expect(footer.getByRole('heading', { level: 2 })).toHaveText([
    'About',
    'Documents',
    'Extra',
    'Social',
  ])
})

test('the footer has its four groups, tagline, launch notice and year', async ({ page }) => {
  await page.goto('/terms')
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('heading', { level: 2 })).toHaveText([
    'About',
    'Documents',
    'Extra',
    'Social',
  ])
  await expect(footer).toContainText('Where influence is currency')
  await expect(footer).toContainText('Launching August 2022')
  await expect(footer).toContainText('© 2022 HUH Token')
  for (const group of ['About', 'Documents', 'Extra', 'Social']) {
    const links = footer.getByRole('navigation', { name: group }).getByRole('link')
    expect(await links.count()).toBeGreaterThan(0)
    expect(await targetOf(links.first())).toMatchObject({ isBeside: true })
  }
})

test('on a phone a user’s menu opens, closes and leads on', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await enter(page, person)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  const links = mobileMenu(page).getByRole('link')
  await expect(links).toHaveText([
    'Main Site',
    'Dashboard',
    'Account',
    'Buy',
    'Referrals',
    'Promotions',
  ])
  await takePictures(page, 'menu', 'window')
  expect(await targetOf(links.first())).toEqual({ href: 'https://huh.social', isBeside: true })
  await links.last().focus()
  await page.keyboard.press('Escape')
  await expect(mobileMenu(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Close menu' }).click()
  await expect(mobileMenu(page)).toBeHidden()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await mobileMenu(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(mobileMenu(page), 'also on the page that is open').toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await mobileMenu(page).getByRole('link', { name: 'Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'PROFILE' })).toBeVisible()
  await expect(mobileMenu(page)).toBeHidden()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('banner').getByRole('link').first().click()
  await expect(mobileMenu(page)).toBeHidden()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'PROFILE' })).toBeVisible()
  await expect(mobileMenu(page), 'nor by going back to where it was open').toBeHidden()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await mobileMenu(page).getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
})

test('on a phone a visitor’s menu leads to login, registration and the main site', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/terms')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(mobileMenu(page).getByRole('link')).toHaveText(['Main Site', 'Login', 'Register'])
  await takePictures(page, 'menu-visitor', 'window')
  await mobileMenu(page).getByRole('link', { name: 'Register' }).click()
  await page.waitForURL((url) => url.pathname === '/register')
  await expect(mobileMenu(page)).toBeHidden()
})

test('a new page takes the focus to its heading, and back leads back', async ({ page }) => {
  await enter(page, person)
  // A link that is pressed before the scripts run loads its page anew.
  await expect(page.locator('[data-frame]')).toHaveCount(0)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  await openFromSidebar(page, 'Referrals')
  await expect(heading('Referrals')).toBeFocused()
  await openFromSidebar(page, 'Promotions')
  await expect(heading('Promotions')).toBeFocused()
  await page.goBack()
  await expect(heading('Referrals')).toBeFocused()
  await expect(page).toHaveTitle(/^Referrals · /)
})

test('the link that skips to the content is the first stop, and moves the focus there', async ({
  page,
}) => {
  await page.goto('/login')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('a system set to less motion or more contrast gets it', async ({ page }) => {
  const style = (name: string) =>
    page.evaluate((key) => getComputedStyle(document.documentElement).getPropertyValue(key), name)
  await page.goto('/login')
  const quiet = await style('--quiet')
  await page.emulateMedia({ contrast: 'more' })
  expect(await style('--quiet')).not.toBe(quiet)
  const duration = () =>
    page
      .getByRole('button', { name: 'Login' })
      .evaluate((button) => Number.parseFloat(getComputedStyle(button).transitionDuration))
  expect(await duration()).toBeGreaterThan(0.1)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await duration()).toBe(0)
  // On every element, even a short transition makes a change of theme many times as slow.
  const transitions = await page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset['theme'] = dataset['theme'] === 'blue' ? 'dark' : 'blue'
    return document.getAnimations().length
  })
  expect(transitions).toBe(0)
})

const pagesForVisitors = ['/login', '/register', '/forgot-password', '/reset-password']
const openPages = ['/terms', '/privacy-policy', '/info', '/sandbox']
const pagesForUsers = ['/', '/account', '/buy', '/referrals', '/promotions']

test('text of twice the size, and a window of 320 pixels, cut nothing off', async ({ page }) => {
  test.setTimeout(120_000)
  const look = async (path: string) => {
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 1 })
    await page.setViewportSize({ width: 640, height: 900 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'))
    await expect(heading).toBeVisible()
    await expectNoOverhang(page, `${path} with text of twice the size`)
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    await page.setViewportSize({ width: 320, height: 640 })
    await expect(heading).toBeVisible()
    await expectNoOverhang(page, `${path} at 320 pixels`)
  }
  for (const path of [...pagesForVisitors, ...openPages]) {
    await test.step(path, () => look(path))
  }
  await storeSession(page, person)
  for (const path of pagesForUsers) await test.step(path, () => look(path))
})
