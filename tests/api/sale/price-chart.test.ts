import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { chartPeriods, saleContract } from '#contract/sale.ts'
import { listPricePoints } from '#server/database/sale/price-points.ts'
import { priceToWire } from '#contract/codec.ts'
import { price } from '#domain/money.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'
import { explainReads } from '#tests/kit/builders/query-plans.ts'
import { recordQueries, type RecordedQueries } from '#tests/kit/builders/recorded-queries.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000
const POINTS = 150_000
const DAYS = 60
const PERIOD_DAYS = { day: 1, week: 7, month: 30, all: Infinity }

let open: TestDatabase
let recorded: RecordedQueries
let app: TestApp
beforeAll(async () => {
  open = await openTestDatabase()
  recorded = recordQueries(open.database, 'price_points')
  app = await startApp({ open: { ...open, database: recorded.database } })
})
afterAll(async () => {
  await app.close()
  await open.close()
})

type Point = { at: Date; price: bigint }

/** Prices that rise and fall, with a lowest and a highest of each day at no even place. */
const insertPoints = (count: number, days: number) =>
  sql`
    insert into price_points (stage_id, price, at)
    select
      'stage-1',
      1000000000000 + nth * 10 + (nth * 7919 % 100003) * 1000,
      date_trunc('milliseconds', ${app.clock.now()}::timestamptz)
        - (${count}::bigint - nth) * (${`${days} days`}::interval / ${count}::bigint)
        - interval '1 minute'
    from generate_series(1, ${count}::bigint) as nth`.execute(open.database)

const chartOf = async (period: keyof typeof PERIOD_DAYS) =>
  (await app.client.call(saleContract.getPriceChart, { query: { period } })).body.price_chart

async function addPoint(units: bigint): Promise<void> {
  const row = { stage_id: 'stage-1', price: price(units), at: app.clock.now() }
  await open.database.insertInto('price_points').values(row).execute()
}

describe('the price chart of a sale with very many price points', () => {
  let all: Point[]
  beforeAll(async () => {
    // The shipped sale's opening lies before all that was sold.
    const opening = { at: new Date(app.clock.now().getTime() - (DAYS + 1) * DAY_MS) }
    await open.database.updateTable('price_points').set(opening).execute()
    await insertPoints(POINTS, DAYS)
    await app.passTime(1)
    all = await open.database
      .selectFrom('price_points')
      .select(['at', 'price'])
      .where('at', '<=', app.clock.now())
      .orderBy('at')
      .orderBy('id')
      .execute()
  }, 180_000)

  test.each(chartPeriods)('by %s keeps first, last, lowest and highest', async (period) => {
    const asked = app.clock.now().getTime()
    const chart = await chartOf(period)
    const times = chart.map(({ date }) => new Date(date).getTime())
    const prices = chart.map((point) => point.price)
    const now = times.at(-1) ?? 0
    const from = now - PERIOD_DAYS[period] * DAY_MS
    const inside = all.filter(({ at }) => at.getTime() >= from)
    const before = all.findLast(({ at }) => at.getTime() < from)
    const units = inside.map((point) => point.price).toSorted((a, b) => (a < b ? -1 : 1))
    const wire = (value: bigint | undefined) => priceToWire(price(value ?? 0n))

    expect(chart.length).toBeLessThanOrEqual(200)
    expect(chart.length).toBeGreaterThan(190)
    expect(prices[0]).toBe(wire(before?.price ?? all[0]?.price))
    expect(times[0]).toBe(before === undefined ? Number(all[0]?.at) : from)
    expect(prices.at(-1)).toBe(wire(all.at(-1)?.price))
    expect(Math.abs(now - asked)).toBeLessThan(10_000)
    expect(Math.min(...prices)).toBe(Math.min(wire(units[0]), wire(before?.price ?? units[0])))
    expect(Math.max(...prices)).toBe(Math.max(wire(units.at(-1)), wire(before?.price)))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const real = new Set(inside.map((point) => `${point.at.getTime()} ${wire(point.price)}`))
    const inner = chart.slice(1, -1).map((point, index) => `${times[index + 1]} ${point.price}`)
    expect(inner.filter((point) => !real.has(point))).toEqual([])
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    const span = now - (times[0] ?? 0)
    expect(Math.max(...gaps)).toBeLessThan(Math.max(span / 90, 1.1 * DAY_MS))
  })

  test.each(chartPeriods)('by %s reads what it shows, by indexes', async (period) => {
    await app.passTime(60_000)
    recorded.queries.length = 0
    const rowsBefore = recorded.rows()
    await chartOf(period)

    expect(recorded.queries.length).toBeGreaterThan(0)
    expect(recorded.rows() - rowsBefore).toBeLessThan(500)
    const reads = []
    for (const query of recorded.queries) reads.push(...(await explainReads(open.database, query)))
    expect(reads.filter(({ node }) => !node.startsWith('Index'))).toEqual([])
    expect(reads.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(1500)
  })

  test('is read once for all who ask, until there is a new price', async () => {
    await app.passTime(60_000)
    // A reply is kept for a second, which a busy machine may take for these calls.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    recorded.queries.length = 0
    const charts = await Promise.all(Array.from({ length: 32 }, () => chartOf('month')))
    const readings = recorded.queries.length

    expect(new Set(charts.map((chart) => JSON.stringify(chart))).size).toBe(1)
    expect(readings).toBeLessThan(6)

    expect(await chartOf('month')).toEqual(charts[0])
    expect(recorded.queries.length - readings).toBe(0)

    await addPoint(3n * 10n ** 12n)
    // Whatever moves a price says so.
    app.services.live.notifyLocal({ kind: 'stage' })
    expect((await chartOf('month')).at(-1)?.price).toBe(3)
  })
})

test(
  'whatever the prices, a thinned list keeps first, last, lowest and highest',
  patiently,
  async () => {
    const fresh = await openTestDatabase()
    const moment = (minutes: number) => new Date(Date.UTC(2030, 0, 1) + minutes * 60_000)
    const random = fc.array(
      fc.record({
        units: fc.bigInt({ min: 1n, max: 30n }),
        // Some points come at the same moment, and others days apart.
        minutes: fc.integer({ min: 0, max: 5000 }),
      }),
      { minLength: 1, maxLength: 80 },
    )
    await fc.assert(
      fc.asyncProperty(random, fc.integer({ min: 5, max: 40 }), async (drawn, max) => {
        await fresh.database.deleteFrom('price_points').execute()
        const points = drawn
          .toSorted((one, other) => one.minutes - other.minutes)
          .map(({ units, minutes }) => ({ at: moment(minutes), price: price(units) }))
        await fresh.database
          .insertInto('price_points')
          .values(points.map((point) => ({ ...point, stage_id: 'stage-1' })))
          .execute()
        // One that is yet to come, as the opening of a later stage.
        const coming = { stage_id: 'stage-2', price: price(99n), at: moment(6000) }
        await fresh.database.insertInto('price_points').values(coming).execute()

        const thin = await listPricePoints(fresh.database, null, moment(5500), max)
        const prices = thin.map((point) => point.price)
        const sorted = points.map((point) => point.price).toSorted((a, b) => Number(a - b))
        const asText = (point: Point) => `${point.at.toISOString()} ${point.price}`

        expect(thin.length).toBeLessThanOrEqual(max)
        expect(points.length <= max ? thin : points).toEqual(points)
        expect(thin[0]).toEqual(points[0])
        expect(thin.at(-1)).toEqual(points.at(-1))
        expect(prices).toContain(sorted[0])
        expect(prices).toContain(sorted.at(-1))
        const left = points.map(asText)
        for (const text of thin.map(asText)) {
          const place = left.indexOf(text)
          expect(place, 'every point is one of them, in their order').toBeGreaterThanOrEqual(0)
          left.splice(0, place + 1)
        }
      }),
      randomRuns(60, 10),
    )
    await fresh.close()
  },
)
