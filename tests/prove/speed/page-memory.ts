import type { Page } from '@playwright/test'

import { bySize, type Finding, assess, type ProofScope } from '#tests/prove/proof.ts'

const MINUTE_MS = 60_000
const GROWTH_MAX = 0.1

/**
 * The memory of an open dashboard, between an early minute and the last. Only the long run takes
 * the time itself: in the others the page's own clock is moved on, so that its countdown ticks,
 * its stream falls silent and is made again, and everything is asked for again, in seconds.
 */
export async function proveMemory(
  scope: ProofScope,
  open: () => Promise<{ page: Page }>,
): Promise<Finding> {
  const minutes = bySize(scope, { short: 15, whole: 60, long: 60 })
  // Code is compiled as it turns out to be used, for a quarter of an hour and more, and the browser
  // remembers what it has fetched: as far as was seen, nothing else grows.
  const warmUp = bySize(scope, { short: 5, whole: 15, long: 15 })
  const isReal = scope.size === 'long'
  const { page } = await open()
  try {
    let charts = 0
    page.on('response', (response) => {
      if (response.url().includes('/price-chart')) charts += 1
    })
    if (!isReal) {
      await page.clock.install()
      await page.reload()
    }
    await passMinutes(page, warmUp, isReal)
    const first = await measure(page)
    await passMinutes(page, minutes - warmUp, isReal)
    const last = await measure(page)
    const growth = (one: number, other: number) => other / one - 1
    const worst = Math.max(
      growth(first.heapBytes, last.heapBytes),
      growth(first.nodes, last.nodes),
      growth(first.listeners, last.listeners),
    )
    const asText = ({ heapBytes, nodes, listeners }: Memory) =>
      `${(heapBytes / 2 ** 20).toFixed(2)} MiB, ${nodes} nodes, ${listeners} listeners`
    return {
      promise: `The memory of the dashboard is flat over ${minutes} minutes${isReal ? '' : ' of the page’s own clock'}`,
      seen: `after ${warmUp} minutes ${asText(first)}; at the end ${asText(last)}; the chart was asked for ${charts} times`,
      bar: `each grows by ≤ ${GROWTH_MAX * 100} %`,
      // What asked for nothing has not lived through that time.
      assessment: charts < minutes / 2 ? 'failed' : assess(worst <= GROWTH_MAX),
    }
  } finally {
    await page.context().close()
  }
}

async function passMinutes(page: Page, minutes: number, isReal: boolean): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    const asked = page.waitForResponse('**/api/v1/price-chart**', { timeout: 2 * MINUTE_MS })
    if (!isReal) await page.clock.runFor(MINUTE_MS)
    await asked
  }
}

type Memory = { heapBytes: number; nodes: number; listeners: number }

/** After what is garbage was collected. */
async function measure(page: Page): Promise<Memory> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  for (let times = 0; times < 3; times += 1) await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  await devtools.detach()
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    heapBytes: valueOf('JSHeapUsedSize'),
    nodes: valueOf('Nodes'),
    listeners: valueOf('JSEventListeners'),
  }
}
