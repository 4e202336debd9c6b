import { afterAll, beforeAll, expect, test } from 'vitest'

import { readSandboxChain } from '#server/database/rails/sandbox-chain.ts'
import { mineSandboxWhenDue } from '#server/use-cases/sandbox/sandbox-chain.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const HOUR_MS = 3_600_000
const INTERVAL_MS = 5_000

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Some time later, as the worker does it. Returns how many blocks there are. */
async function heightAfter(ms: number): Promise<bigint> {
  app.clock.pass(ms)
  await mineSandboxWhenDue(app.services)
  return (await readSandboxChain(app.services.database, 0n)).height
}

test('a sandbox block comes every five seconds, also after the clock went back', async () => {
  const before = await heightAfter(INTERVAL_MS)
  expect(await heightAfter(INTERVAL_MS)).toBe(before + 1n)
  expect(await heightAfter(1_000)).toBe(before + 1n)

  expect(await heightAfter(-HOUR_MS)).toBe(before + 2n)
  expect(await heightAfter(1_000)).toBe(before + 2n)
  expect(await heightAfter(4_000)).toBe(before + 3n)
  expect(await heightAfter(INTERVAL_MS)).toBe(before + 4n)

  // Between two instances it always differs a little.
  expect(await heightAfter(-100)).toBe(before + 4n)
})
