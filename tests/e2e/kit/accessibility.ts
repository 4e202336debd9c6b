import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

import { inEveryLook, type Theme } from './screenshots.ts'

/**
 * Checks a page in both themes, on each device: axe has no finding by any of its rules, however
 * minor, and nothing overflows sideways. The test continues after a finding, to report all of them.
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
  // It is large, and injecting it takes longer than the check itself.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(lookInPage, theme === 'dark' ? null : COLOUR_RULES)
}

/** The themes differ only in colours, so the second one is checked only for those. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Runs in the page. The only frames show mails, which are documents of their own. */
async function lookInPage(rules: string[] | null): Promise<string[]> {
  const here = Reflect.get(window, 'axe') as typeof axe
  const { violations } = await here.run(
    { exclude: [['iframe']] },
    { resultTypes: ['violations'], ...(rules && { runOnly: rules }) },
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n${node.html}\n${node.failureSummary}`),
  )
}
