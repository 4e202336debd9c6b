import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Try } from '#server/ports/security.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const isTaken = (...tries: Try[]) =>
  kit.services.limits.takeInOrder(tries).then(
    () => true,
    () => false,
  )

async function countTaken(count: number, ...tries: Try[]): Promise<number> {
  const taken = await Promise.all(Array.from({ length: count }, () => isTaken(...tries)))
  return taken.filter(Boolean).length
}

/** May be tried ten times in a quarter of an hour. */
const byUser = (key: string): Try => ({ rule: 'code_by_user', key })
/** May be tried fifty times a day. */
const byUserAndDay = (key: string): Try => ({ rule: 'code_by_user_and_day', key })

describe('tries of several limits', () => {
  test('are counted exactly, however many come at once', async () => {
    expect(await countTaken(40, byUser('at-once'), byUserAndDay('at-once'))).toBe(10)
  })

  test('are not counted against those after the one that refuses', async () => {
    await countTaken(40, byUser('in-turn'), byUserAndDay('in-turn'))
    // Ten of the fifty were used, not forty.
    expect(await countTaken(60, byUserAndDay('in-turn'))).toBe(40)
  })

  test('say how long the refusing one lasts, and count again after it', async () => {
    await countTaken(10, byUser('later'))
    const refused = kit.services.limits.take('code_by_user', 'later')
    await expect(refused).rejects.toMatchObject({
      reason: 'TooManyRequests',
      details: {
        retryAfterSeconds: expect.closeTo(900, -1),
        message: 'Too many requests. Try again in 15 minutes',
      },
    })
    await kit.passTime(15 * MINUTE_MS)
    expect(await countTaken(20, byUser('later'))).toBe(10)
  })

  test('are given back one by one, or all', async () => {
    const { limits } = kit.services
    await countTaken(10, byUser('back'))
    await limits.restore({ refunded: [byUser('back')] })
    expect(await countTaken(5, byUser('back'))).toBe(1)
    await limits.restore({ cleared: [byUser('back')], refunded: [byUserAndDay('back')] })
    expect(await countTaken(20, byUser('back'))).toBe(10)
    // What was never tried cannot be given back.
    expect(await countTaken(60, byUserAndDay('back'))).toBe(50)
  })
})
