import { addVisits } from '#server/database/sale/sale-sums.ts'
import type { Services } from '#server/services.ts'

/**
 * Adds the pages sent since the last call to those of the day. An instance that is killed loses the
 * count of a few seconds.
 */
export async function saveVisits({ database, visits }: Services): Promise<void> {
  const count = visits.take()
  if (count === 0) return
  try {
    await addVisits(database, count)
  } catch (fault) {
    visits.add(count)
    throw fault
  }
}
