import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { API_BASE, SERVER_TIME } from '#contract/endpoint.ts'
import { aPurchase, expectInvariants, lookAt, mine, pay } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { projectRoot } from '#tools/project.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let app: TestApp
let wrong: ServerProcess & { port: number }
beforeAll(async () => {
  app = await startApp()
  const { config } = app.open
  if (config.kind !== 'postgres') throw new Error('This is a test for PostgreSQL.')
  const preloads = ['jumping-clock.ts', 'suspended-machine.ts'].map(
    (name) => pathToFileURL(join(projectRoot, 'tests/prove/faults/in-server', name)).href,
  )
  wrong = await startServerOnFreePort({
    DATABASE_URL: config.url,
    SECRET_KEY: app.services.settings.secretKey.reveal(),
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: preloads.map((preload) => `--import ${preload}`).join(' '),
    CLOCK_AHEAD_MS: String(24 * HOUR_MS),
    SUSPENDED_MS: String(HOUR_MS),
  })
  await wrong.opened
})
afterAll(async () => {
  wrong.process.kill('SIGKILL')
  await wrong.ended
  await app.close()
})

async function aBuyer(): Promise<SeededUser> {
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  return buyer
}

/** Buys at the instance whose clock is wrong. */
async function buyThere({ as }: SeededUser) {
  const reply = await fetch(`http://127.0.0.1:${wrong.port}${API_BASE}/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.accessToken}` },
    body: JSON.stringify({ purchase_amount: 100, purchase_token_id: 'eth' }),
  })
  const body = (await reply.json()) as { data: { expires_date: string } }
  return { status: reply.status, headers: reply.headers, body }
}

async function readThrough(): Promise<Date | null> {
  const row = await app.open.database.selectFrom('chains').select('read_through').executeTakeFirst()
  return row?.read_through ?? null
}

test('an instance whose clock is a day ahead expires nothing, and sells on the same terms', async () => {
  await fetch(`http://127.0.0.1:${wrong.port}/healthz`)
  const tomorrow = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10)
  await expect
    .poll(() => wrong.out(), { message: 'its log has the wrong time' })
    .toContain(tomorrow)
  const buyer = await aBuyer()
  const purchase = await aPurchase(app, buyer)
  const madeAt = new Date(purchase.created_date)
  // Only the wrong instance reads the chain: this one runs no workers.
  await expect
    .poll(async () => ((await readThrough()) ?? madeAt) > madeAt, { timeout: 20_000 })
    .toBe(true)
  expect((await readThrough())?.getTime()).toBeLessThan(Date.now() + HOUR_MS)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'pending' })
  await pay(app, purchase)
  await mine(app, 2)
  // The wrong instance may be the one that settles it.
  await expect
    .poll(async () => (await lookAt(app, buyer, purchase)).status, { timeout: 20_000 })
    .toBe('completed')

  const { status, headers, body } = await buyThere(buyer)
  expect(status).toBe(201)
  // Pages count the time to pay by this header, whatever the clock of the device.
  const replyMs = Date.parse(headers.get(SERVER_TIME) ?? '')
  expect(Math.abs(replyMs - Date.now())).toBeLessThan(HOUR_MS)
  const leftMs = new Date(body.data.expires_date).getTime() - Date.now()
  expect(leftMs).toBeLessThan(HOUR_MS)
  expect(leftMs).toBeGreaterThan(HOUR_MS / 3)
  await expectInvariants(app)
})

test('what a wrong clock once wrote of a chain is taken back', async () => {
  const farAhead = new Date(Date.now() + 24 * HOUR_MS)
  await app.open.database.updateTable('chains').set({ read_through: farAhead }).execute()
  await expect
    .poll(async () => (await readThrough())?.getTime() ?? 0, { timeout: 20_000 })
    .toBeLessThan(Date.now() + HOUR_MS)
})

test('an instance whose machine was suspended for an hour sells at the time of the database', async () => {
  const buyer = await aBuyer()
  wrong.process.kill('SIGUSR2')
  await expect.poll(() => wrong.out()).toContain('The machine was suspended')
  const from = Date.now()
  await expect.poll(async () => (await buyThere(buyer)).status).toBe(201)
  const { created_at: madeAt } = await app.open.database
    .selectFrom('purchases')
    .select('created_at')
    .where('user_id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  expect(madeAt.getTime()).toBeGreaterThan(from - MINUTE_MS)
})
