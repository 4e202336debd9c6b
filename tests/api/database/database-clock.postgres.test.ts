import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import type { Database } from '#server/database/tables/tables.ts'
import { type RunningClock, startDatabaseClock } from '#server/runtime/database-clock.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** The embedded database has the clock of its process, from which it cannot differ. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DIFFERS = expect.stringContaining('This machine’s clock differs from the database’s')
const rightDate = Date.now
const count = performance.now.bind(performance)

let app: TestApp
let clock: RunningClock
let asked: number
beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  clock = await startDatabaseClock(counting(app.open.database), app.services.log)
  // Only what the clock notices by itself is left.
  await clock.close()
  asked = 0
})
afterEach(() => {
  vi.restoreAllMocks()
  app.complaints.splice(0)
})
afterAll(() => app.close())

function counting(database: Database): Database {
  return database.withPlugin({
    transformQuery: ({ node }) => {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

const wrongByMs = () => Math.abs(clock.now().getTime() - rightDate())

test('a machine that was suspended for an hour learns the time when it is first needed', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => count() - HOUR_MS)
  await expect.poll(wrongByMs).toBeLessThan(MINUTE_MS)
  expect(app.complaints).toEqual([])
})

test('a machine whose clock jumps keeps the time, and asks once for it', async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => rightDate() + HOUR_MS)
  expect(wrongByMs()).toBeLessThan(MINUTE_MS)
  await expect.poll(() => app.complaints).toMatchObject([{ message: DIFFERS }])
  const asking = asked
  expect(wrongByMs()).toBeLessThan(MINUTE_MS)
  expect(asked).toBe(asking)
})
