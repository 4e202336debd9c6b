import { type ChainReading, NotYet } from '#server/services.ts'

type Read = (cursor: string | null) => Promise<ChainReading>

/**
 * Lets a reading that takes long go on in the background, so that a slow chain keeps no other
 * waiting: until it is done, nothing has changed. What it finds is given to whoever asks next from
 * the same cursor.
 * @param unchanged The reading of nothing beyond a cursor.
 */
export function unhurried(
  read: Read,
  unchanged: (cursor: string) => ChainReading,
  waitMs: number,
): Read {
  let underWay: { cursor: string | null; reading: Promise<ChainReading> } | null = null

  return async (cursor) => {
    if (underWay === null || underWay.cursor !== cursor) {
      underWay = { cursor, reading: read(cursor) }
    }
    const own = underWay
    const timer = Promise.withResolvers<null>()
    const timeout = setTimeout(() => timer.resolve(null), waitMs)
    try {
      const reading = await Promise.race([own.reading, timer.promise])
      if (reading !== null) {
        if (underWay === own) underWay = null
        return reading
      }
    } catch (error) {
      if (underWay === own) underWay = null
      throw error
    } finally {
      clearTimeout(timeout)
    }
    own.reading.catch(() => {})
    if (cursor === null) throw new NotYet('The first reading is still under way')
    return unchanged(cursor)
  }
}
