import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { secret } from '#server/payments/variables.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { recordQueries, type RecordedQueries } from '#tests/kit/builders/recorded-queries.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const METRICS_TOKEN = 'a-token-for-metrics-and-nothing-else'

let open: TestDatabase
let recorded: RecordedQueries
let app: TestApp
let guarded: TestApp
beforeAll(async () => {
  open = await openTestDatabase()
  recorded = recordQueries(open.database, '')
  app = await startApp({ open: { ...open, database: recorded.database } })
  guarded = await startApp({ open, settings: { metricsToken: secret(METRICS_TOKEN) } })
})
afterEach(() => app.clock.pass(1_001))
afterAll(async () => {
  await guarded.close()
  await app.close()
  await open.close()
})

type Call = { remoteAddress?: string; headers?: Record<string, string> }

const metricsOf = async (asked: TestApp, call: Call = {}) =>
  (await asked.app.inject({ url: '/metrics', ...call })).statusCode

describe('/metrics without a token of its own', () => {
  test.each(['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'])(
    'is for the machine itself: %s',
    async (remoteAddress) => {
      expect(await metricsOf(app, { remoteAddress })).toBe(200)
    },
  )

  test.each(['203.0.113.7', '10.0.0.5', '2001:db8::1', '::ffff:10.0.0.5', '128.0.0.1'])(
    'is not for %s',
    async (remoteAddress) => {
      const reply = await app.app.inject({ url: '/metrics', remoteAddress })
      expect(reply.statusCode).toBe(401)
      expect(reply.body).not.toContain('process_cpu')
    },
  )

  test.each(['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'X-Real-IP', 'Via'])(
    'is not for whom a proxy on the machine passes on with %s',
    async (name) => {
      expect(await metricsOf(app, { headers: { [name]: '127.0.0.1' } })).toBe(401)
    },
  )
})

describe('/metrics with a token of its own', () => {
  const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('works for anyone who has it, from anywhere', async () => {
    const from = { remoteAddress: '203.0.113.7' }
    expect(await metricsOf(guarded, { ...bearing(METRICS_TOKEN), ...from })).toBe(200)
  })

  test('is for nobody else, on the machine either', async () => {
    expect(await metricsOf(guarded)).toBe(401)
    expect(await metricsOf(guarded, bearing('a-guess'))).toBe(401)
    expect(await metricsOf(guarded, bearing(`${METRICS_TOKEN}x`))).toBe(401)
  })
})

test('/metrics say which version the instance is', async () => {
  const { version } = app.services.settings
  const { body } = await app.app.inject({ url: '/metrics' })
  expect(body).toContain(`\nsale_build_info{version="${version}"} 1\n`)
})

describe('asked by many at once', () => {
  test.each(['/readyz', '/metrics'])('%s is looked up once, and kept for a second', async (url) => {
    const statuses = async (times: number) => {
      recorded.queries.length = 0
      const asked = Array.from({ length: times }, () => app.app.inject({ url }))
      return [...new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode))]
    }
    expect(await statuses(1)).toEqual([200])
    const once = recorded.queries.length
    expect(once).toBeGreaterThan(0)

    expect(await statuses(50)).toEqual([200])
    expect(recorded.queries).toEqual([])

    app.clock.pass(1_001)
    expect(await statuses(50)).toEqual([200])
    expect(recorded.queries).toHaveLength(once)
  })

  test('a refused /metrics and /healthz look nothing up', async () => {
    recorded.queries.length = 0
    await app.app.inject({ url: '/metrics', remoteAddress: '203.0.113.7' })
    await app.app.inject({ url: '/healthz', remoteAddress: '203.0.113.7' })
    expect(recorded.queries).toEqual([])
  })
})

test('/readyz is open, and does not reveal why it is not ready', async () => {
  const from = { remoteAddress: '203.0.113.7' }
  const lost = await openTestDatabase()
  const waiting = await startApp({ open: lost })
  expect((await waiting.app.inject({ url: '/readyz', ...from })).statusCode).toBe(200)
  await lost.close()
  waiting.clock.pass(1_001)
  const reply = await waiting.app.inject({ url: '/readyz', ...from })
  expect({ status: reply.statusCode, body: reply.json() }).toEqual({
    status: 503,
    body: { status: 'waiting' },
  })
  expect((await waiting.app.inject({ url: '/healthz', ...from })).statusCode).toBe(200)
  await waiting.app.close()
})
