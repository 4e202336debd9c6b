import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OwnReleases, releasesContract } from '#contract/delivery/releases.ts'
import { API_BASE } from '#contract/endpoint.ts'
import { ownExportContract } from '#contract/export.ts'
import { usersContract } from '#contract/users.ts'
import { parseDecimal, percentage } from '#domain/money.ts'
import { AT_ONCE, linearSchedule } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { balanceOf, buyAndPay, expectAllWell } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named } from '#tests/kit/builders/an-operator.ts'
import { percent } from '#tests/kit/builders/domain-builders.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const STARTS_IN_MS = 5 * MINUTE_MS

const units = (amount: string) => parseDecimal(amount, 18) ?? 0n
const sumOf = (amounts: readonly string[]) =>
  amounts.reduce((sum, amount) => sum + units(amount), 0n)

async function releasesOf({ client }: TestApp, { as }: RegisteredUser): Promise<OwnReleases> {
  return (await client.call(releasesContract.getOwnReleases, {}, as)).body
}

/** What the ledger has of a user, in base units. */
async function owned({ open }: TestApp, { user }: RegisteredUser): Promise<bigint> {
  const account = `user:${user.id}`
  const { rows } = await sql<{ sum: bigint }>`
    select sum(case when destination = ${account} then amount else -amount end) as sum
    from ledger_transfers where asset = 'token' and (destination = ${account} or source = ${account})`.execute(
    open.database,
  )
  return rows[0]?.sum ?? 0n
}

describe('releases by stage', () => {
  let app: TestApp
  let startsAt: Date
  let ada: RegisteredUser
  let eve: RegisteredUser

  /** Stage 1 releases 1 % first, the rest in three months; stage 2, a minute later, all of it. */
  function byStage(sale: Sale): Sale {
    const now = Date.now()
    startsAt = new Date(now + STARTS_IN_MS)
    const [first, second] = sale.stages
    if (first === undefined || second === undefined) throw new Error('Two stages are needed.')
    const change = new Date(now + MINUTE_MS)
    return {
      ...sale,
      vesting: { startsAt, ...linearSchedule({ first: percent('1'), months: 3, cliff: null }) },
      stages: [
        { ...first, endsAt: change },
        { ...second, startsAt: change, vesting: AT_ONCE },
      ],
    }
  }

  beforeAll(async () => {
    app = await startApp({ changeSale: byStage })
    ada = await aUser(app)
    eve = await aUser(app, { referrals: { referred_by: ada.user.id } })
  })
  afterEach(() => expectAllWell(app))
  afterAll(() => app.close())

  it('are none for who has no tokens', async () => {
    expect(await releasesOf(app, ada)).toEqual({
      start_date: startsAt.toISOString(),
      total: '0',
      releases: [],
      next: null,
    })
  })

  it('add up to the ledger to the last digit: purchases, bonuses and rewards', async () => {
    await buyAndPay(app, ada, { usd: 123.45 })
    await buyAndPay(app, eve, { usd: 300 })
    for (const buyer of [ada, eve]) {
      const { total, releases, next } = await releasesOf(app, buyer)
      expect(units(total)).toBe(await owned(app, buyer))
      expect(Number(total)).toBeCloseTo(await balanceOf(app, buyer), 2)
      expect(releases.map(({ month }) => month)).toEqual([0, 1, 2, 3])
      expect(sumOf(releases.map(({ tokens }) => tokens))).toBe(units(total))
      expect(releases.at(-1)?.released).toBe(total)
      expect(units(releases[0]?.tokens ?? '')).toBe(units(total) / 100n)
      expect(releases[0]?.date).toBe(startsAt.toISOString())
      expect(next).toEqual(releases[0])
    }
    const { body } = await app.client.call(
      usersContract.getReferrals,
      { params: { id: ada.user.id } },
      ada.as,
    )
    expect(body.earned_tokens).toBeGreaterThan(0)
  })

  it('go by the schedule of each purchase’s stage, all on one calendar', async () => {
    const before = await releasesOf(app, eve)
    await app.passTime(MINUTE_MS + 1_000)
    await refreshPrices(app.services)
    const bought = await buyAndPay(app, eve, { usd: 100 })
    expect(bought.stage_id).toBe('stage-2')
    const after = await releasesOf(app, eve)
    expect(units(after.total)).toBe(await owned(app, eve))
    const atOnce = units(after.total) - units(before.total)
    expect(units(after.releases[0]?.tokens ?? '')).toBe(
      units(before.releases[0]?.tokens ?? '') + atOnce,
    )
    expect(after.releases.slice(1).map(({ tokens }) => tokens)).toEqual(
      before.releases.slice(1).map(({ tokens }) => tokens),
    )
  })

  it('are the same in the user’s own export', async () => {
    const { body } = await app.client.call(
      ownExportContract.exportUser,
      { params: { id: eve.user.id } },
      eve.as,
    )
    expect(body.releases).toEqual((await releasesOf(app, eve)).releases)
  })

  it('have a line each in the operator’s export, which adds up to the ledger', async () => {
    const { body, statusCode } = await app.app.inject({
      url: `${API_BASE}/operator/exports/releases`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...named },
    })
    expect(statusCode).toBe(200)
    const [header, ...lines] = body.trimEnd().split('\r\n')
    expect(header).toBe('"user_id","email","name","month","date","tokens","released_tokens"')
    expect(lines).toHaveLength(8)
    const cells = lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')))
    for (const buyer of [ada, eve]) {
      const own = cells.filter(([id]) => id === buyer.user.id)
      expect(sumOf(own.map((line) => line[5] ?? ''))).toBe(await owned(app, buyer))
      const { releases } = await releasesOf(app, buyer)
      expect(own.map((line) => line.slice(3))).toEqual(
        releases.map(({ month, date, tokens, released }) => [`${month}`, date, tokens, released]),
      )
    }
    const last = await app.open.database
      .selectFrom('operator_actions')
      .select('act')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(last?.act).toBe('exportReleases')
  })

  it('name the next one, once the start has come', async () => {
    await app.passTime(STARTS_IN_MS)
    const { releases, next } = await releasesOf(app, ada)
    expect(next).toEqual(releases[1])
  })
})

describe('releases whose start is not set', () => {
  let app: TestApp
  beforeAll(async () => {
    const tranches = [
      { months: 0, percentage: percentage(1n) },
      { months: 7, percentage: percentage(999_999n) },
    ]
    app = await startApp({
      changeSale: (sale) => ({
        ...sale,
        vesting: { startsAt: null, shape: 'tranches' as const, tranches },
      }),
    })
  })
  afterAll(() => app.close())

  it('have no dates, and the first is the next', async () => {
    const buyer = await aUser(app)
    await buyAndPay(app, buyer)
    const { start_date, total, releases, next } = await releasesOf(app, buyer)
    expect(start_date).toBeNull()
    expect(releases.map(({ month, date }) => [month, date])).toEqual([
      [0, null],
      [7, null],
    ])
    expect(next).toEqual(releases[0])
    expect(sumOf(releases.map(({ tokens }) => tokens))).toBe(units(total))
    await expectAllWell(app)
  })

  it('are exact where the tokens are too few for every release', async () => {
    const buyer = await aUser(app)
    await app.open.database
      .insertInto('ledger_transfers')
      .values({
        cause_id: null,
        user_id: buyer.user.id,
        source: 'sale:supply',
        destination: `user:${buyer.user.id}`,
        asset: 'token',
        amount: 3n,
        at: new Date(),
      })
      .execute()
    const { releases, total } = await releasesOf(app, buyer)
    expect(total).toBe('0.000000000000000003')
    expect(releases).toEqual([{ month: 7, date: null, tokens: total, released: total }])
  })
})

describe('a sale without a schedule', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ changeSale: (sale) => ({ ...sale, vesting: null }) })
  })
  afterAll(() => app.close())

  it('has no releases, whatever somebody owns', async () => {
    const buyer = await aUser(app)
    await buyAndPay(app, buyer)
    const { start_date, total, releases, next } = await releasesOf(app, buyer)
    expect([start_date, releases, next]).toEqual([null, [], null])
    expect(units(total)).toBe(await owned(app, buyer))
  })
})
