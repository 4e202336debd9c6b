import type { Page } from '@playwright/test'

/** A smaller movement is rounding. */
export const SHIFT_MOST_PX = 2

/**
 * Collects, from the next loading of the page on, what moves up or down by itself. The page's frame
 * may: fewer transactions than skeleton rows pull up the footer, and the menu has promotions only
 * once there are any (specification section 2). Words shift sideways a little when their font
 * arrives, which is not what this looks for.
 */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript((most) => {
    Object.assign(window, { shifts: [] })
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
    type Shift = PerformanceEntry & { sources: Source[] }
    const observer = new PerformanceObserver((list) => {
      for (const { node, previousRect: from, currentRect: to } of (
        list.getEntries() as Shift[]
      ).flatMap(({ sources }) => sources)) {
        const element = node instanceof Element ? node : node?.parentElement
        const px = Math.abs(to.y - from.y)
        if (px <= most || !element?.closest('main')) continue
        if ('shifts' in window && Array.isArray(window.shifts))
          window.shifts.push(`${px} px: ${element?.outerHTML.slice(0, 200)}`)
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
  }, SHIFT_MOST_PX)
}

/** Keeps the page waiting for its data until what it returns is called. */
export async function holdData(page: Page, data: RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(data, async (route) => {
    await released
    await route.continue()
  })
  return release
}

export function clearShifts(page: Page): Promise<unknown> {
  return page.evaluate(() => Object.assign(window, { shifts: [] }))
}

export function readShifts(page: Page): Promise<unknown> {
  return page.evaluate(() => ('shifts' in window ? window.shifts : null))
}
