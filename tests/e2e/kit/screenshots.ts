import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

export const themes = ['dark', 'blue'] as const
export type Theme = (typeof themes)[number]

/** A phone, a tablet and a desktop. */
export const viewports = [
  { width: 375, height: 812 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
] as const

/** Shows the page in a theme, without using the page's own switch. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name
  }, theme)
}

/**
 * Runs `look` with the page in both themes on each device, and leaves the page as it found it.
 */
export async function inEveryLook(
  page: Page,
  look: (theme: Theme, width: number) => Promise<void>,
): Promise<void> {
  const before = page.viewportSize()
  const themeBefore = await page.evaluate(() => document.documentElement.dataset['theme'])
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    for (const theme of themes) {
      await showTheme(page, theme)
      await look(theme, viewport.width)
    }
  }
  await showTheme(page, themeBefore === 'blue' ? 'blue' : 'dark')
  if (before !== null) await page.setViewportSize(before)
}

/**
 * Saves screenshots of a page in every look to the folder that SCREENSHOTS names; does nothing if
 * it is not set. `window` is for dialogs, which fill the window and not the page.
 */
export async function takePictures(
  page: Page,
  name: string,
  part: 'page' | 'window' = 'page',
): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined || folder === '') return
  await mkdir(folder, { recursive: true })
  await inEveryLook(page, async (theme, width) => {
    if (part === 'page') await page.evaluate(() => window.scrollTo(0, 0))
    await page.screenshot({
      path: join(folder, `${name}-${theme}-${width}.png`),
      fullPage: part === 'page',
      animations: 'disabled',
    })
  })
}
