import fc from 'fast-check'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingOutcome } from '#domain/sale/booking.ts'
import { ALL, cryptoAmount, percentage, price, tokenAmount, type Usd, usd } from '#domain/money.ts'
import { type BrokenBound, brokenBound, type ReservationBounds } from '#domain/sale/reservation.ts'
import type { Stage } from '#domain/sale/sale.ts'
import { progressOf, remaining } from '#domain/sale/stage.ts'
import { createPurchases } from '#server/database/purchases/create-purchases.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { loadUnpaid } from '#server/database/purchases/unpaid.ts'
import { aStage, someTerms } from '#tests/kit/builders/domain-builders.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/**
 * The preview for a buyer is computed in TypeScript, the booking in SQL. If they differed, some
 * buyers would be refused again and again because too many people are buying.
 */
const MINUTE_MS = 60_000
const EXPIRE_MINUTES = 30
const TOKEN_DECIMALS = 2

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  // Purchases of hours ago are made as well, and what was quoted so long ago is not booked.
  app.clock.pass(24 * 60 * MINUTE_MS)
})
afterAll(() => app.close())

/** What became of a purchase that was made before. */
const fates = {
  pending: { status: 'pending' },
  partly: { status: 'pending', status_reason: 'underpaid', due: cryptoAmount(3n) },
  processing: { status: 'processing' },
  completed: { status: 'completed' },
  expired: { status: 'expired' },
  late: { status: 'expired', status_reason: 'late' },
  foreign: { status: 'expired', status_reason: 'wrong_asset' },
  crumbs: { status: 'failed', status_reason: 'underpaid' },
  stopped: { status: 'failed' },
} as const

const dollarsUpTo = (max: number) => fc.bigInt({ min: 1n, max: BigInt(max) }).map(usd)
const tokensUpTo = (max: number) => fc.bigInt({ min: 1n, max: BigInt(max) }).map(tokenAmount)

const requests = fc.record({ usd: dollarsUpTo(30), tokens: tokensUpTo(300) })
const earlier = {
  request: requests,
  who: fc.constantFrom('buyer', 'neighbour', 'stranger', 'stranger'),
  isElsewhere: fc.boolean(),
  fate: fc.constantFrom<keyof typeof fates>('pending', 'pending', ...keysOf(fates)),
  minutesAgo: fc.integer({ min: 0, max: 200 }),
}
/** Of a buyer who lets one purchase after the other expire. */
const lapses = {
  ...earlier,
  who: fc.constant('buyer' as const),
  fate: fc.constantFrom<keyof typeof fates>('expired', 'crumbs', 'late', 'foreign'),
}
const cases = fc.record({
  supply: tokensUpTo(3_000),
  soldPercent: fc.bigInt({ min: 0n, max: 50n }),
  earlier: fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.record(earlier), { maxLength: 9 }) },
    { weight: 1, arbitrary: fc.array(fc.record(lapses), { minLength: 3, maxLength: 9 }) },
  ),
  request: requests,
  bounds: fc.record({
    openPerUserMax: fc.integer({ min: 1, max: 12 }),
    worthPerUserMax: fc.option(dollarsUpTo(90), { freq: 2 }),
    worthPerConnectionMax: fc.option(dollarsUpTo(120), { freq: 2 }),
    unpaidShare: fc.bigInt({ min: 0n, max: 400_000n }).map(percentage),
    // In tokens of a dollar with two decimals.
    shareMin: dollarsUpTo(2_000_000),
  }),
})
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never
/** A case for each bound, since random ones may miss one. */
const HAD: Case['earlier'][number] = {
  request: { usd: usd(10n), tokens: tokenAmount(100n) },
  who: 'buyer',
  isElsewhere: false,
  fate: 'pending',
  minutesAgo: 5,
}
const LAPSED: Case['earlier'][number] = { ...HAD, fate: 'expired', minutesAgo: 35 }
const NO_BOUNDS: Case['bounds'] = {
  openPerUserMax: 12,
  worthPerUserMax: null,
  worthPerConnectionMax: null,
  unpaidShare: ALL,
  shareMin: usd(2_000_000n),
}
const aCase = (bounds: Partial<Case['bounds']>, earlier: Case['earlier'] = [HAD]): [Case] => [
  {
    supply: tokenAmount(3_000n),
    soldPercent: 0n,
    earlier,
    request: HAD.request,
    bounds: { ...NO_BOUNDS, ...bounds },
  },
]
const caseOfEach = [
  aCase({}),
  aCase({ openPerUserMax: 1 }),
  aCase({ openPerUserMax: 1 }, [LAPSED, LAPSED, LAPSED, LAPSED]),
  aCase({ worthPerUserMax: usd(15n) }),
  aCase({ worthPerConnectionMax: usd(15n) }, [{ ...HAD, who: 'neighbour' }]),
  aCase({ unpaidShare: percentage(0n), shareMin: usd(0n) }, [{ ...HAD, who: 'stranger' }]),
]

type Booked = { usd: Usd; tokens: Stage['supply'] }

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[]
}

const UNBOUNDED: ReservationBounds = {
  openPerUserMax: 1_000,
  worthPerUserMax: null,
  worthPerConnectionMax: null,
  unpaidShare: ALL,
  shareMin: usd(0n),
}

const outcomes: Record<BrokenBound, BookingOutcome> = {
  open: 'too_many_open',
  lapsed: 'lapsed',
  user: 'user_worth',
  connection: 'connection_worth',
  share: 'unpaid_share',
}

async function openStage(supply: Stage['supply'], soldPercent = 0n): Promise<Stage> {
  const tokenPrice = price(10n ** 12n)
  const id = `stage-${randomUUID()}`
  const sold = tokenAmount((supply * soldPercent) / 100n)
  const counter = { stage_id: id, supply, sold, reserved: tokenAmount(0n), token_price: tokenPrice }
  await app.open.database.insertInto('stage_counters').values(counter).execute()
  return aStage({ id, supply, tokenPrice, tokenDecimals: TOKEN_DECIMALS })
}

async function book(
  stage: Stage,
  { usd: value, tokens }: Booked,
  buyer: { userId: string; connectionHash: Uint8Array },
  createdAt: Date,
  bounds: ReservationBounds,
) {
  const id = randomUUID()
  const terms = someTerms({
    stageId: stage.id,
    usd: value,
    tokenPrice: stage.tokenPrice,
    tokenDecimals: stage.tokenDecimals,
    cryptoDue: cryptoAmount(7n),
    reserved: tokens,
    lockedBonuses: { flat: {}, spending: [] },
    createdAt,
    expiresAt: new Date(createdAt.getTime() + EXPIRE_MINUTES * MINUTE_MS),
    graceEndsAt: new Date(createdAt.getTime() + EXPIRE_MINUTES * MINUTE_MS),
  })
  const request = {
    ...buyer,
    id,
    idempotencyKey: null,
    fingerprint: id,
    saleFileId: app.services.saleFileId,
    bounds,
    rail: 'sandbox' as const,
    chain: 'sandbox',
    address: id,
    paymentId: id,
    derivationIndex: null,
    priceSources: [],
    terms,
    firstTerms: terms,
  }
  const [booking] = await createPurchases(app.open, stage.id, [request])
  return { id, outcome: booking?.outcome }
}

/** The preview of a request, and the result of its booking. */
async function previewAndBook({ supply, soldPercent, earlier, request, bounds }: Case) {
  const { database } = app.open
  const [stage, elsewhere] = [await openStage(supply, soldPercent), await openStage(supply)]
  const [buyer, neighbour, stranger] = await manyUsers(database, 3)
  if (!buyer || !neighbour || !stranger) throw new Error('Three users were to be made.')
  const [here, there] = [randomBytes(32), randomBytes(32)]
  const people = {
    buyer: { userId: buyer.id, connectionHash: here },
    neighbour: { userId: neighbour.id, connectionHash: here },
    stranger: { userId: stranger.id, connectionHash: there },
  }
  const now = app.clock.now()
  const made: { id: string; fate: keyof typeof fates; createdAt: Date }[] = []
  for (const { request: had, who, isElsewhere, fate, minutesAgo } of earlier) {
    const createdAt = new Date(now.getTime() - minutesAgo * MINUTE_MS)
    const where = isElsewhere ? elsewhere : stage
    const { id, outcome } = await book(where, had, people[who], createdAt, UNBOUNDED)
    if (outcome === 'created') made.push({ id, fate, createdAt })
  }
  for (const { id, fate, createdAt } of made) {
    const completedAt = new Date(createdAt.getTime() + 5 * MINUTE_MS)
    const change = { ...fates[fate], completed_at: fate === 'completed' ? completedAt : null }
    await database.updateTable('purchases').set(change).where('id', '=', id).execute()
  }

  const progress = progressOf((await loadMarket(database)).progress, stage)
  const unpaid = await loadUnpaid(database, stage.id, people.buyer)
  const asked = { ...request, now, expireAfterMs: EXPIRE_MINUTES * MINUTE_MS }
  const broken = brokenBound(asked, { stage, progress }, bounds, unpaid)
  const hasRoom = request.tokens <= remaining(stage, progress)
  const isFirst = broken === 'open' || broken === 'lapsed'
  const bound = broken === null ? 'created' : outcomes[broken]
  const soldOut = progress.sold === stage.supply
  const expected = soldOut ? 'market_moved' : hasRoom || isFirst ? bound : 'no_room'
  const { outcome } = await book(stage, request, people.buyer, now, bounds)
  return { expected, outcome }
}

test(
  'the preview of a bound is what the booking decides',
  async () => {
    const reached = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const { expected, outcome } = await previewAndBook(one)
        expect(outcome).toBe(expected)
        reached.set(expected, (reached.get(expected) ?? 0) + 1)
      }),
      { ...randomRuns(150, 100), examples: caseOfEach },
    )
    for (const outcome of ['created', ...Object.values(outcomes)]) {
      expect(reached.get(outcome) ?? 0, `${outcome} was reached`).toBeGreaterThan(0)
    }
  },
  patiently.timeout,
)
