import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { presentStage } from '#server/http/api/present-sale.ts'
import type { Services } from '#server/services.ts'
import { listStages } from '#server/use-cases/sale/list-stages.ts'
import { withTimeout } from '#server/use-cases/sale/with-timeout.ts'

/**
 * Each purchase moves what is sold, and so changes every page. Rendering and compressing one takes
 * 3 to 30 ms, in which the process does nothing else: done for every request in a rush, it would be
 * all that the process does. With this bound it takes a tenth of its time at most, even if all
 * pages are requested in both languages. So a page shows the stages of two seconds ago. Visitors do
 * not notice: scripts ask again once the page has come to life, and nobody buys by these figures.
 */
const AGE_MAX_MS = 2_000
const ANSWER_WITHIN_MS = 1_000

type Reading = { reading: Promise<ListedStage[]>; startedAtMs: number; sale: Services['sale'] }

/**
 * Reads the stages as pages show them, at most once in two seconds for all pages together. If they
 * cannot be read, pages keep the last ones: most of a page does not depend on them.
 */
export function createStagesReader(services: Services): () => Promise<ListedStage[]> {
  let known: ListedStage[] = []
  let last: Reading | null = null
  const read = async () => {
    try {
      known = (await withTimeout(listStages(services), ANSWER_WITHIN_MS)).map(presentStage)
    } catch (error) {
      services.log.warn({ error }, 'The stages could not be read for pages, which show older ones')
    }
    return known
  }
  return () => {
    // A monotonic clock, since this has nothing to do with the times of the sale.
    const nowMs = performance.now()
    const { sale } = services
    if (last === null || last.sale !== sale || nowMs - last.startedAtMs >= AGE_MAX_MS) {
      last = { reading: read(), startedAtMs: nowMs, sale }
    }
    return last.reading
  }
}
