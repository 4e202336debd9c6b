import { NotYet } from '#domain/unavailable.ts'
import type { ChainReading } from '#server/ports/rail.ts'

type Read = (cursor: string | null, isAwaited?: boolean) => Promise<ChainReading>

/**
 * Returns a reading by a deadline. A slower one continues in the background, so that a slow chain
 * delays no other; until it is done, the result is that nothing has changed. What it finds goes to
 * the next caller with the same cursor.
 * @param unchanged The reading that says that nothing is new since a cursor.
 */
export function readWithin(
  deadlineMs: number,
  read: Read,
  unchanged: (cursor: string) => ChainReading,
): Read {
  let background: { cursor: string | null; reading: Promise<ChainReading> } | null = null

  return async (cursor, isAwaited) => {
    if (background === null || background.cursor !== cursor) {
      background = { cursor, reading: read(cursor, isAwaited) }
    }
    const own = background
    const deadline = Promise.withResolvers<null>()
    const timeout = setTimeout(() => deadline.resolve(null), deadlineMs)
    try {
      const reading = await Promise.race([own.reading, deadline.promise])
      if (reading !== null) {
        if (background === own) background = null
        return reading
      }
    } catch (error) {
      if (background === own) background = null
      throw error
    } finally {
      clearTimeout(timeout)
    }
    own.reading.catch(() => {})
    if (cursor === null) throw new NotYet('The first reading is still under way')
    return unchanged(cursor)
  }
}
