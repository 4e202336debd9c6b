import { expect, type Page } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { expectNoOverhang } from '#tests/e2e/kit/layout.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { serveOffer } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { bareOffer, fullOffer, sixStages } from '#tests/kit/builders/an-offer.ts'

const main = (page: Page) => page.getByRole('main')
const hero = (page: Page) => page.getByRole('region', { name: 'The HUH Token presale' })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const ladder = (page: Page) => part(page, 'The whole sale in one picture').getByRole('slider')
const stageRows = (page: Page) =>
  part(page, 'The whole sale in one picture').getByRole('table').getByRole('row')

test('says what a token costs now, until when, and what comes next', async ({ page }) => {
  await serveOffer(page, { stages: sixStages(0), project: fullOffer })
  await page.goto('/info')
  await expect(hero(page)).toContainText('Stage 1 of 6 · open now')
  await expect(hero(page).getByTitle('$0.0001068')).toHaveText('$0.107for 1,000 HUH')
  await expect(hero(page)).toContainText(
    'Rises to $0.12 as this stage sells, then $0.14 in Stage 2.',
  )
  await expect(hero(page)).toContainText('528B HUH left in this stage · 34% sold')
  await expect(hero(page)).toContainText(/Closes \w+ \d+, \d{4}, \d\d:\d\d UTC\s*in 29 d 23 h/)
  const links = hero(page).getByRole('link')
  await expect(links).toHaveText(['How the price is set', 'Create an account', 'Login'])
  await expect(links.nth(1)).toHaveAttribute('href', '/register')
})

test('offers a buyer who is logged in the way to buy', async ({ page, product }) => {
  const person = somebody('Ines')
  await registerPerson(product.address, person)
  await serveOffer(page, { stages: sixStages(0), project: fullOffer })
  await enter(page, person, '/info')
  await expect(hero(page).getByRole('link', { name: 'Buy HUH' })).toHaveAttribute('href', '/buy')
  await expect(hero(page).getByRole('link', { name: 'Create an account' })).toHaveCount(0)
})

test('a visitor who stays reads the price of now', async ({ page }) => {
  await page.clock.install()
  await serveOffer(page, { stages: sixStages(0), project: fullOffer })
  await page.goto('/info')
  await page.clock.runFor(5_000)
  await expect(hero(page)).toContainText('Stage 1 of 6 · open now')
  await serveOffer(page, { stages: sixStages(1), project: fullOffer })
  await page.clock.runFor(61_000)
  await expect(hero(page)).toContainText('Stage 2 of 6 · open now')
})

const moments = [
  {
    name: 'not begun',
    stages: () => sixStages(0, 'upcoming'),
    text: /has not started yet.*\$0\.10/,
  },
  { name: 'paused', stages: () => sixStages(1, 'paused'), text: /Stage 2 of 6 · paused.*Nothing/ },
  {
    name: 'between two',
    stages: () => sixStages(2, 'upcoming'),
    text: /next stage has not started/,
  },
  { name: 'in its last stage', stages: () => sixStages(5), text: /Rises to \$0\.32 as this stage/ },
  {
    name: 'over, which may have to give back everything',
    stages: () => sixStages(6),
    text: /has ended.*any more\.When tokens are released.*3\.5T of 3\.5T HUH sold/,
  },
]
for (const { name, stages, text } of moments) {
  test(`says what is right for a sale that is ${name}`, async ({ page }) => {
    await serveOffer(page, { stages: stages(), project: fullOffer })
    await page.goto('/info')
    await expect(hero(page)).toHaveText(text)
    await expect(stageRows(page)).toHaveCount(7)
  })
}

test('the ladder is read by arrow keys at one stop, and its table has every stage', async ({
  page,
}) => {
  await serveOffer(page, { stages: sixStages(1), project: fullOffer })
  await page.goto('/info')
  await expect(ladder(page)).toHaveAttribute(
    'aria-valuetext',
    'Stage 2, open now, $0.14 for 1,000 HUH, 700B HUH, 34% sold',
  )
  await ladder(page).focus()
  const shown = part(page, 'The whole sale in one picture').locator('p:not(.invisible)', {
    hasText: /^Stage \d/,
  })
  for (const [key, text] of [
    ['ArrowRight', 'Stage 3 · not open yet · $0.17 for 1,000 HUH · 600B HUH · 0% sold'],
    ['End', 'Stage 6 · not open yet · $0.28 – $0.32 for 1,000 HUH · 400B HUH · 0% sold'],
    ['ArrowRight', 'Stage 6 · not open yet · $0.28 – $0.32 for 1,000 HUH · 400B HUH · 0% sold'],
    ['Home', 'Stage 1 · over · $0.10 – $0.12 for 1,000 HUH · 800B HUH · 100% sold'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(shown).toHaveText(text)
  }
  await expect(ladder(page)).toHaveAttribute('aria-valuenow', '1')
  const box = await ladder(page).boundingBox()
  await ladder(page).hover({ position: { x: (box?.width ?? 0) - 5, y: 100 } })
  await expect(shown).toContainText('Stage 6')
  await page.keyboard.press('Tab')
  await expect(ladder(page)).not.toBeFocused()
  await expect(stageRows(page).nth(2)).toContainText('Stage 2')
  await expect(stageRows(page).nth(2)).toContainText('$0.14')
})

test('has every part that the sale file fills', async ({ page }) => {
  await serveOffer(page, { stages: sixStages(0), project: fullOffer })
  await page.goto('/info')
  await expect(part(page, 'How buying works').getByRole('listitem')).toHaveCount(4)
  await expect(part(page, 'How the supply is divided').getByRole('row').nth(1)).toHaveText(
    'Presale35%',
  )
  const release = part(page, 'When tokens are released')
  await expect(release).toContainText('At launch10 HUH, 1%')
  await expect(release).toContainText('1,000 HUH are not released and cannot be sold yet.')
  await expect(release.getByRole('row').last()).toHaveText('5 months after1981,000')
  const seller = part(page, 'Who sells')
  await expect(seller).toContainText('HUH Labs Ltd')
  await expect(seller.getByRole('link', { name: 'See it on the explorer' })).toBeVisible()
  await expect(part(page, 'Documents')).toContainText('White paperVersion of Jul 1, 2022')
  const answer = page.getByText('Neither has happened yet.')
  await expect(answer).toBeHidden()
  await page.getByText('When can I sell my tokens?').click()
  await expect(answer).toBeVisible()
  await expect(part(page, 'Risks in two minutes').getByRole('listitem')).toHaveCount(4)
  await expectAccessible(page, 'the sale page')
})

test('leaves out what the sale file does not say', async ({ page }) => {
  await serveOffer(page, { stages: sixStages(0), project: { ...bareOffer, contact_email: null } })
  await page.goto('/info')
  await expect(part(page, 'How buying works')).toBeVisible()
  for (const name of [
    'How the supply is divided',
    'When tokens are released',
    'Who sells',
    'Documents',
    'Questions and answers',
    'Risks in two minutes',
  ]) {
    await expect(part(page, name)).toHaveCount(0)
  }
})

test('an address that names the risks leads to them, also for who is logged in', async ({
  page,
  product,
}) => {
  const person = somebody('Jule')
  await registerPerson(product.address, person)
  await serveOffer(page, { stages: sixStages(0), project: fullOffer })
  await enter(page, person, '/info#risks')
  await expect(part(page, 'Risks in two minutes')).toBeInViewport()
})

test('stages of any number and size stay inside of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  const many = [...sixStages(1), ...sixStages(0, 'upcoming')].map((stage, index) => ({
    ...stage,
    id: `stage-${index}`,
    name: `A round with quite a long name, number ${index}`,
    total_tokens: stage.total_tokens / (index % 3 === 0 ? 1_000_000 : 1),
    sold_tokens: index === 0 ? stage.total_tokens / 1_000_000 : 0,
  }))
  for (const stages of [many, sixStages(0).slice(0, 1)]) {
    await serveOffer(page, { stages, project: fullOffer })
    await page.goto('/info')
    await expect(stageRows(page)).toHaveCount(stages.length + 1)
    await expectNoOverhang(page, `the sale page with ${stages.length} stages`)
    await expect(page.getByText('drawn larger, so that it can be seen')).toHaveCount(
      stages.length > 1 ? 1 : 0,
    )
    await page.unrouteAll()
  }
})

test.describe('in German', () => {
  test('says the state and the dates in German', async ({ page, context, product }) => {
    await context.addCookies([{ name: 'language', value: 'de', url: product.address }])
    await serveOffer(page, { stages: sixStages(0), project: fullOffer })
    await page.goto('/info')
    await expect(main(page)).toContainText('Phase 1 von 6 · jetzt geöffnet')
    await expect(main(page)).toContainText('800 Mrd.')
    await expectAccessible(page, 'the sale page in German')
  })
})

test.describe('with scripts off', () => {
  test.use({ javaScriptEnabled: false })

  test('is whole: price, ladder, answers that open, risks', async ({ page }) => {
    await serveOffer(page, { stages: sixStages(0), project: fullOffer })
    await page.goto('/info')
    await expect(hero(page)).toContainText('$0.107')
    await expect(hero(page)).toContainText(/Closes \w+ \d+, \d{4}, \d\d:\d\d UTC/)
    await expect(page.getByText('in 88 d 88 h')).toBeHidden()
    await expect(stageRows(page)).toHaveCount(7)
    await page.getByText('What if I send too little?').click()
    await expect(page.getByText('What arrived is credited')).toBeVisible()
  })
})

for (const path of ['/login', '/register']) {
  test(`${path} says beside its form where the sale stands`, async ({ page }) => {
    await serveOffer(page, { stages: sixStages(0), project: fullOffer })
    await page.setViewportSize({ width: 1024, height: 800 })
    await page.goto(path)
    const panel = part(page, 'The sale now')
    await expect(panel).toContainText('Stage 1 of 6 · open now')
    await expect(panel).toContainText('$0.107for 1,000 HUH')
    await expect(panel.getByText(/^in 29 d 23 h$/)).toBeVisible()
    const form = main(page).locator('form')
    const [formBox, panelBox] = [await form.boundingBox(), await panel.boundingBox()]
    expect((formBox?.x ?? 0) + (formBox?.width ?? 0)).toBeLessThan(panelBox?.x ?? 0)
    const links = main(page).getByRole('link')
    await expect(links.last()).toHaveText('See the whole sale')
    await expect(links.last()).toHaveAttribute('href', '/info')

    await page.setViewportSize({ width: 1023, height: 800 })
    await expect(panel).toBeHidden()
    const line = main(page).getByText('$0.107 for 1,000 HUH')
    const [lineBox, newFormBox] = [await line.boundingBox(), await form.boundingBox()]
    expect((lineBox?.y ?? 0) + (lineBox?.height ?? 0)).toBeLessThan(newFormBox?.y ?? 0)
    await expectAccessible(page, path)
  })
}
