import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { projectRoot } from '#tools/project.ts'

import { ELEMENTS, someOfEachLook } from './look/some-of-each-look.ts'
import { inEveryLook, type Theme, themes as allThemes } from './screenshots.ts'

const axeFile = join(projectRoot, 'node_modules/axe-core/axe.min.js')

/**
 * Checks a page in both themes, on each device: axe has no finding by any of its rules, however
 * minor, and nothing overflows sideways. The test continues after a finding, to report all of them.
 */
export async function expectAccessible(
  page: Page,
  name: string,
  themes: readonly Theme[] = allThemes,
): Promise<void> {
  // Colours are compared once nothing moves any more.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // A dialog that has just begun to open cannot be seen yet, so nothing would be on the page.
  await page.evaluate(ending)
  const looksByFinding = new Map<string, string[]>()
  await inEveryLook(page, async (theme, width) => {
    if (!themes.includes(theme)) return
    for (const finding of [...(await findOverhang(page)), ...(await findWithAxe(page, theme))]) {
      const looks = looksByFinding.get(finding) ?? []
      looksByFinding.set(finding, [...looks, `${theme} at ${width} px`])
    }
  })
  const findings = [...looksByFinding].map(([finding, looks]) => `${finding}\n${looks.join(', ')}`)
  expect.soft(findings, `accessibility of ${name}`).toEqual([])
}

/** Runs in the page. Resolves once everything has moved that ever comes to an end. */
async function ending(): Promise<void> {
  const all = document.getAnimations()
  const endless = all.filter(({ effect }) => effect?.getComputedTiming().endTime === Infinity)
  await Promise.allSettled(
    all.filter((each) => !endless.includes(each)).map((each) => each.finished),
  )
}

/**
 * What is wrong, in this theme and at this width, with a page of tens of thousands of elements that
 * repeat each other: the rules about colours check some of those that look alike.
 */
export async function findInLongPage(page: Page, theme: Theme): Promise<string[]> {
  await provideAxe(page)
  const others = theme === 'dark' ? await page.evaluate(lookInPage, { rules: ALL_BUT_COLOURS }) : []
  const chosen = { elements: ELEMENTS, places: await someOfEachLook(page) }
  const colours = await page.evaluate(lookInPage, { runOnly: COLOUR_RULES, ...chosen })
  return [...(await findOverhang(page)), ...others, ...colours]
}

async function findOverhang(page: Page): Promise<string[]> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return overhang > 0 ? [`The page is ${overhang} px wider than the window`] : []
}

async function findWithAxe(page: Page, theme: Theme): Promise<string[]> {
  await provideAxe(page)
  return await page.evaluate(lookInPage, theme === 'dark' ? {} : { runOnly: COLOUR_RULES })
}

async function provideAxe(page: Page): Promise<void> {
  // It is large, and injecting it takes longer than the check itself.
  if (await page.evaluate(() => 'axe' in window)) return
  await page.evaluate(await readFile(axeFile, 'utf8'))
}

/** The themes differ only in colours, so the second one is checked only for those. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const ALL_BUT_COLOURS = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]))

type Looking = Pick<axe.RunOptions, 'rules' | 'runOnly'> & { elements?: string; places?: number[] }

/** Runs in the page. The only frames show mails, which are documents of their own. */
async function lookInPage({ elements, places, ...options }: Looking): Promise<string[]> {
  const here = Reflect.get(window, 'axe') as typeof axe
  const chosen = new Set(places ?? [0])
  const all = [...document.querySelectorAll(elements ?? 'html')]
  const include = all.filter((_, place) => chosen.has(place))
  const { violations } = await here.run(
    { include, exclude: [['iframe']] },
    { resultTypes: ['violations'], ...options },
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n${node.html}\n${node.failureSummary}`),
  )
}
