import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

import { inEveryLook, type Theme } from './screenshots.ts'

/**
 * Looks at a page in both themes, on each device: axe finds nothing serious or critical,
 * and nothing sticks out at the side. The test goes on after a finding, to tell all there are.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // Colours are compared once nothing moves any more.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const looksByFinding = new Map<string, string[]>()
  await inEveryLook(page, async (theme, width) => {
    for (const finding of [...(await findOverhang(page)), ...(await findWithAxe(page, theme))]) {
      const looks = looksByFinding.get(finding) ?? []
      looksByFinding.set(finding, [...looks, `${theme} at ${width} px`])
    }
  })
  const findings = [...looksByFinding].map(([finding, looks]) => `${finding}\n${looks.join(', ')}`)
  expect.soft(findings, `accessibility of ${name}`).toEqual([])
}

async function findOverhang(page: Page): Promise<string[]> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return overhang > 0 ? [`The page is ${overhang} px wider than the window`] : []
}

async function findWithAxe(page: Page, theme: Theme): Promise<string[]> {
  // The only frames show mails, which are documents of their own; without them axe needs no page
  // of its own to put results together, which takes longer than the looking.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe')
  // Between the themes nothing but colours differs, so the second is looked at for those alone.
  if (theme !== 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}\n${node.html}\n${node.failureSummary}`),
    )
}
