import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { balancesOf } from '#tests/kit/model/balances-of.ts'
import { changeText } from '#domain/sale/changes/sale-changes.ts'
import { findAppliedFileId } from '#server/database/sale/applied-sale.ts'
import { cryptoAmount, tokenAmount, type TokenAmount } from '#domain/money.ts'
import { reservationBounds } from '#domain/sale/reservation.ts'
import { insertSnapshot } from '#server/database/delivery/snapshots.ts'
import { createPurchases } from '#server/database/purchases/create-purchases.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { insertUser } from '#server/database/accounts/users.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'
import { applySaleAtStart, SaleRefused } from '#server/use-cases/sale/apply-sale.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { aSale, aStage, someTerms } from '#tests/kit/builders/domain-builders.ts'
import { emptyTables } from '#tests/kit/servers/empty-tables.ts'
import { changeLine, SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

const FIRST = new Date('2026-01-01T00:00:00Z')
const LATER = new Date('2026-01-05T00:00:00Z')
const BUYER = {
  password_hash: 'never compared',
  first_name: 'Ann',
  last_name: 'Lee',
  nationality: 'GB',
  mobile: null,
  language: 'en' as const,
  referrer_id: null,
  created_at: FIRST,
}

const SNAPSHOT = {
  number: 1,
  taken_at: FIRST,
  ledger_position: 1n,
  tokens: tokenAmount(1n),
  leaf_count: 1,
  owner_count: 1,
  root: new Uint8Array(32),
  reason: null,
}

let open: TestDatabase

beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())
afterEach(() => emptyTables(open.database))

async function apply(text: string, now = FIRST, database = open.database) {
  const applied = await applySaleAtStart(
    { database, clock: { now: () => now } },
    text,
    (given, firstAppliedAt) => readSaleText(given, { folder: tmpdir(), firstAppliedAt }),
  )
  return { ...applied, changes: applied.changes.map(changeText) }
}

async function refusalOf(text: string, at = LATER): Promise<string[]> {
  const error = await apply(text, at).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SaleRefused))
    throw new Error('The sale was not refused.', { cause: error })
  return error.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

async function balances(): Promise<Record<string, bigint>> {
  const transfers = await open.database
    .selectFrom('ledger_transfers')
    .select(['source', 'destination', 'asset', 'amount'])
    .execute()
  return Object.fromEntries(
    [...balancesOf(transfers)].map(([account, assets]) => [account, assets.get('token') ?? 0n]),
  )
}

/** All that applying a sale writes. */
async function storedSale() {
  const { database } = open
  return {
    sale: await database.selectFrom('sale').selectAll().execute(),
    stages: await database.selectFrom('stages').selectAll().orderBy('id').execute(),
    counters: await database.selectFrom('stage_counters').selectAll().orderBy('stage_id').execute(),
    points: await database.selectFrom('price_points').selectAll().orderBy('at').execute(),
    ledger: await database.selectFrom('ledger_transfers').selectAll().orderBy('id').execute(),
  }
}

/** A buyer buys in a stage, in ETH; then the stage has come this far. */
async function buy(stageId: string, progress: { sold: bigint; reserved: bigint }): Promise<void> {
  const { database } = open
  const userId = randomUUID()
  const buyer = { ...BUYER, id: userId, email: `${userId}@example.com` }
  await database.transaction().execute((transaction) => insertUser(transaction, buyer))
  const counter = await database
    .selectFrom('stage_counters')
    .select('token_price')
    .where('stage_id', '=', stageId)
    .executeTakeFirstOrThrow()
  const terms = someTerms({
    stageId,
    tokenPrice: counter.token_price,
    reserved: tokenAmount(1n),
    lockedBonuses: { flat: {}, spending: [] },
  })
  const bookings = await createPurchases(open, stageId, [
    {
      id: randomUUID(),
      userId,
      idempotencyKey: null,
      fingerprint: 'one',
      saleFileId: (await findAppliedFileId(database)) ?? 0n,
      bounds: reservationBounds(aSale(), aStage()),
      connectionHash: null,
      rail: 'sandbox',
      chain: 'ERC20',
      address: `sandbox-${stageId}`,
      paymentId: stageId,
      derivationIndex: null,
      priceSources: [],
      terms,
      firstTerms: terms,
    },
  ])
  expect(bookings).toMatchObject([{ outcome: 'created' }])
  const [sold, reserved] = [tokenAmount(progress.sold), tokenAmount(progress.reserved)]
  await database
    .updateTable('stage_counters')
    .set({ sold, reserved })
    .where('stage_id', '=', stageId)
    .execute()
}

describe('applying a sale file for the first time', () => {
  it('opens every stage with its supply, its price and its transfer in the ledger', async () => {
    const { sale, changes } = await apply(SMALL_SALE_FILE)
    expect(changes).toEqual(['the sale of Pear (PEAR) begins (stages: 2, payment tokens: 1)'])
    expect(sale.stages[1]?.startsAt).toEqual(new Date('2026-01-31T00:00:00Z'))

    const { stages, counters, points } = await storedSale()
    expect(stages).toMatchObject([
      { id: 'stage-1', position: 1, name: 'First', type: 'fixed', token_price: 5n * 10n ** 11n },
      { id: 'stage-2', position: 2, type: 'dynamic', final_token_price: 125n * 10n ** 10n },
    ])
    expect(counters).toMatchObject([
      { stage_id: 'stage-1', supply: 10n ** 9n, reserved: 0n, sold: 0n },
      { stage_id: 'stage-2', supply: 2n * 10n ** 9n, token_price: 75n * 10n ** 10n },
    ])
    expect(points).toMatchObject([
      { stage_id: 'stage-1', at: FIRST },
      { stage_id: 'stage-2', at: new Date('2026-01-31T00:00:00Z') },
    ])
    expect(await balances()).toEqual({
      'sale:supply': -3n * 10n ** 9n,
      'stage:stage-1:available': 10n ** 9n,
      'stage:stage-2:available': 2n * 10n ** 9n,
    })
  })

  it('applies nothing of a wrong file', async () => {
    const text = changeLine('    total_tokens: 2000', '    total_tokens: many')
    expect(await refusalOf(text)).toEqual([
      expect.stringContaining('30 stages[1].total_tokens: expected an amount of tokens'),
    ])
    expect(await storedSale()).toMatchObject({ sale: [], stages: [], counters: [], ledger: [] })
  })
})

describe('applying again', () => {
  it('changes nothing, and counts durations from the first time', async () => {
    await apply(SMALL_SALE_FILE)
    const before = await storedSale()
    const { sale, changes } = await apply(SMALL_SALE_FILE, LATER)
    expect(changes).toEqual([])
    expect(sale.stages[0]?.startsAt).toEqual(FIRST)
    expect(await storedSale()).toEqual(before)
  })

  it('applies once what several instances apply at the same time', async () => {
    const other = open.kind === 'postgres' ? await openDatabase(open.config) : open
    const results = await Promise.all([
      apply(SMALL_SALE_FILE, FIRST),
      apply(SMALL_SALE_FILE, LATER, other.database),
      apply(SMALL_SALE_FILE, LATER),
    ])
    if (other !== open) await other.close()
    expect(results.map(({ changes }) => changes.length).toSorted()).toEqual([0, 0, 1])
    const starts = results.map(({ sale }) => sale.stages[0]?.startsAt.getTime())
    expect(new Set(starts).size).toBe(1)
    expect((await storedSale()).ledger).toHaveLength(2)
  })

  it('reports each change, and moves what a stage gains or loses in the ledger', async () => {
    await apply(SMALL_SALE_FILE)
    const text = SMALL_SALE_FILE.replace('token_price: 0.5', 'token_price: 0.6')
      .replace('total_tokens: 1000', 'total_tokens: 1500.5')
      .replace('total_tokens: 2000', 'total_tokens: 1800')
      .replace('start_date: P30D', 'start_date: P40D')
    const { changes } = await apply(text, LATER)
    expect(changes).toEqual([
      'stage-1 "First": token_price 0.5 → 0.6',
      'stage-1 "First": final_token_price 0.5 → 0.6',
      'stage-1 "First": total_tokens 1000 → 1500.5',
      'stage-2 "Second": total_tokens 2000 → 1800',
      'stage-2 "Second": start_date 2026-01-31T00:00:00.000Z → 2026-02-10T00:00:00.000Z',
    ])
    const { counters, points, ledger } = await storedSale()
    expect(counters).toMatchObject([
      { supply: 1_500_500_000n, token_price: 6n * 10n ** 11n },
      { supply: 1_800_000_000n },
    ])
    expect(points, 'what was shown stays').toMatchObject([
      { price: 5n * 10n ** 11n, at: FIRST },
      { price: 6n * 10n ** 11n, at: LATER },
      { at: new Date('2026-02-10T00:00:00Z') },
    ])
    expect(ledger).toHaveLength(4)
    expect(await balances()).toEqual({
      'sale:supply': -3_300_500_000n,
      'stage:stage-1:available': 1_500_500_000n,
      'stage:stage-2:available': 1_800_000_000n,
    })
  })

  it('may drop a stage that nobody bought from, and add another', async () => {
    await apply(SMALL_SALE_FILE)
    const onlyFirst = SMALL_SALE_FILE.slice(0, SMALL_SALE_FILE.indexOf('  - name: Second'))
    const dropped = await apply(onlyFirst, LATER)
    expect(dropped.changes).toEqual(['stage-2 "Second": removed'])
    expect(await balances()).toMatchObject({ 'stage:stage-2:available': 0n })
    expect((await storedSale()).counters).toHaveLength(1)

    const afterStart = new Date('2026-02-05T00:00:00Z')
    const added = await apply(SMALL_SALE_FILE, afterStart)
    expect(added.changes).toEqual(['stage-2 "Second": added'])
    expect((await storedSale()).points).toMatchObject([{ at: FIRST }, { at: afterStart }])
    expect(await balances()).toMatchObject({ 'stage:stage-2:available': 2n * 10n ** 9n })

    // What buyers saw stays on the chart when the stage goes again.
    await apply(onlyFirst, new Date('2026-02-06T00:00:00Z'))
    expect((await storedSale()).points).toMatchObject([{ at: FIRST }, { at: afterStart }])
  })
})

describe('history', () => {
  it('keeps the price, the type and the sold tokens of a stage that was bought from', async () => {
    await apply(SMALL_SALE_FILE)
    await buy('stage-2', { sold: 400_000_000n, reserved: 100_000_000n })
    const before = await storedSale()
    const text = SMALL_SALE_FILE.replace('token_price: 0.75', 'token_price: 0.8')
      .replace('final_token_price: 1.25', 'final_token_price: 1.3')
      .replace('total_tokens: 2000', 'total_tokens: 499.999999')
    expect(await refusalOf(text)).toEqual([
      '28 stages[1].token_price: expected 0.75, since tokens of this stage were sold, found 0.8',
      '29 stages[1].final_token_price: expected 1.25, since tokens of this stage were sold, found 1.3',
      '30 stages[1].total_tokens: expected at least 500, which are sold or reserved, found 499.999999',
    ])
    expect(await storedSale()).toEqual(before)
  })

  it('lets such a stage shrink to what is taken, and moves its price along', async () => {
    const whileOnSale = new Date('2026-02-05T00:00:00Z')
    await apply(SMALL_SALE_FILE)
    await buy('stage-2', { sold: 400_000_000n, reserved: 100_000_000n })
    await apply(changeLine('    total_tokens: 2000', '    total_tokens: 1000'), LATER)
    expect((await storedSale()).counters[1]).toMatchObject({ token_price: 95n * 10n ** 10n })
    const smaller = changeLine('    total_tokens: 2000', '    total_tokens: 500')
    const { changes } = await apply(smaller, whileOnSale)
    expect(changes).toEqual([
      'stage-2 "Second": total_tokens 1000 → 500',
      'stage-2 "Second": price now 0.95 → 1.15',
    ])
    const { counters, points } = await storedSale()
    expect(counters[1]).toMatchObject({
      supply: 500_000_000n,
      sold: 400_000_000n,
      reserved: 100_000_000n,
      token_price: 115n * 10n ** 10n,
    })
    expect(points.filter(({ stage_id }) => stage_id === 'stage-2')).toMatchObject([
      { price: 95n * 10n ** 10n, at: new Date('2026-01-31T00:00:00Z') },
      { price: 115n * 10n ** 10n, at: whileOnSale },
    ])
  })

  it('notes when a stage shrinks to what is sold, which opens the next only before its end', async () => {
    const AFTER = new Date('2026-02-02T00:00:00Z')
    const gap = SMALL_SALE_FILE.replace('start_date: P30D', 'start_date: P45D')
    const small = gap.replace('total_tokens: 1000', 'total_tokens: 400')
    for (const [at, opens] of [
      [LATER, LATER],
      [AFTER, new Date('2026-02-15T00:00:00Z')],
    ] as const) {
      await emptyTables(open.database)
      await apply(gap)
      await buy('stage-1', { sold: 400_000_000n, reserved: 0n })
      await apply(small, at)
      const { counters, points } = await storedSale()
      expect(counters[0]).toMatchObject({ sold_out_at: at })
      expect(points.filter(({ stage_id }) => stage_id === 'stage-2')).toMatchObject([{ at: opens }])
    }
  })

  it('leaves a stage that sold out over, whatever was taken back, until it is given more', async () => {
    const { database } = open
    const ofFirst = (total: string) =>
      SMALL_SALE_FILE.replace('total_tokens: 1000', `total_tokens: ${total}`)
    await apply(SMALL_SALE_FILE)
    await buy('stage-1', { sold: 400_000_000n, reserved: 0n })
    await database.updateTable('stage_counters').set({ sold_out_at: FIRST }).execute()
    for (const [total, soldOutAt] of [
      ['900', FIRST],
      ['400', FIRST],
      ['500', null],
    ] as const) {
      await apply(ofFirst(total), LATER)
      expect((await storedSale()).counters[0]).toMatchObject({ sold_out_at: soldOutAt })
    }

    const soldOut = { sold_out_at: FIRST, sold: sql<TokenAmount>`supply` }
    await database.updateTable('stage_counters').set(soldOut).execute()
    await database.transaction().execute((transaction) => insertSnapshot(transaction, SNAPSHOT))
    expect(await refusalOf(ofFirst('600'))).toEqual([
      expect.stringContaining('stages: expected every stage to be over, since snapshot 1'),
    ])
  })

  it('keeps the soft cap once each stage has reached its end or was sold out', async () => {
    const { database } = open
    const capped = (usd: number) => `${SMALL_SALE_FILE}soft_cap_usd: ${usd}\n`
    const whileOnSale = new Date('2026-02-05T00:00:00Z')
    await apply(capped(100))
    await buy('stage-1', { sold: 400_000_000n, reserved: 0n })
    await apply(capped(150), whileOnSale)
    await database
      .updateTable('stage_counters')
      .set({ sold: sql<TokenAmount>`supply`, sold_out_at: whileOnSale })
      .where('stage_id', '=', 'stage-2')
      .execute()
    await apply(capped(200), LATER)
    const after = new Date('2026-02-06T00:00:00Z')
    expect(await refusalOf(capped(201), after)).toEqual([
      expect.stringContaining(
        'soft_cap_usd: expected $200, since every stage has ended or was sold out, found $201',
      ),
    ])
    expect((await apply(capped(200).replace('Soon', 'Over'), after)).changes).toHaveLength(1)
  })

  it('lets the next stage, bought from already, open by its date once the sold-out one has more', async () => {
    const { database } = open
    const opening = new Date('2026-01-31T00:00:00Z')
    await apply(SMALL_SALE_FILE)
    await buy('stage-1', { sold: 0n, reserved: 0n })
    await buy('stage-2', { sold: 400_000_000n, reserved: 0n })
    const soldOut = { sold_out_at: FIRST, sold: sql<TokenAmount>`supply` }
    const ofFirst = database.updateTable('stage_counters').where('stage_id', '=', 'stage-1')
    await ofFirst.set(soldOut).execute()
    await database.updateTable('price_points').set({ at: FIRST }).execute()
    await apply(changeLine('    total_tokens: 1000', '    total_tokens: 1100'), LATER)
    const { points } = await storedSale()
    expect(points.at(-1)).toMatchObject({ stage_id: 'stage-2', at: opening })
    expect(points.at(-2)).toMatchObject({ stage_id: 'stage-1', at: LATER })
  })

  it('keeps a stage, a payment token and the token itself, even after a purchase expired', async () => {
    await apply(SMALL_SALE_FILE)
    await buy('stage-2', { sold: 0n, reserved: 0n })
    const onlyFirst = SMALL_SALE_FILE.slice(0, SMALL_SALE_FILE.indexOf('  - name: Second'))
      .replace('decimals: 6', 'decimals: 8')
      .replace('symbol: PEAR', 'symbol: PLUM')
      .replace('decimals: 18', 'decimals: 12')
      .replace('chain: ETH', 'chain: Polygon')
    expect(await refusalOf(onlyFirst)).toEqual([
      '3 project.symbol: expected PEAR, since tokens were bought, found PLUM',
      '4 project.decimals: expected 6, since tokens were bought, found 8',
      '14 payment_tokens[0].chain: expected ERC20, since eth was used for payments, found Polygon',
      '15 payment_tokens[0].decimals: expected 18, since eth was used for payments, found 12',
      '20 stages: expected stage-2, since tokens of it were bought, found it gone',
    ])
    expect(await refusalOf(SMALL_SALE_FILE.replaceAll('id: eth', 'id: ether'))).toEqual([
      '11 payment_tokens: expected eth, since eth was used for payments, found it gone',
    ])
  })

  it('keeps a sale with real payments from becoming a sandbox, even before the first purchase', async () => {
    const real = SMALL_SALE_FILE.replaceAll('sandbox: eth', 'nowpayments: eth')
    await apply(real)
    expect(await refusalOf(SMALL_SALE_FILE)).toEqual([
      '11 payment_tokens: expected rails of real payments, since this database has a sale with them (SALE_FILE names its file; start a sandbox with a database of its own: another DATABASE_URL or DATA_DIR), found the rail sandbox',
    ])
    expect((await apply(real)).changes).toEqual([])
  })

  it('keeps what only a late payment, or one in another token, has used', async () => {
    const second = SMALL_SALE_FILE.indexOf('  - name: Second')
    const withUsdc = aSaleFileWithUsdc()
    await apply(withUsdc)
    await buy('stage-1', { sold: 0n, reserved: 0n })
    const { database } = open
    const { id: purchase_id } = await database
      .selectFrom('purchases')
      .select('id')
      .executeTakeFirstOrThrow()
    const receipt = { id: randomUUID(), purchase_id, chain: 'ERC20', output_index: 0 }
    await database
      .insertInto('receipts')
      .values({
        ...receipt,
        transaction_hash: '0x1',
        amount: cryptoAmount(5n),
        payment_token_id: 'usdc',
        asset: null,
        block_height: null,
        is_gone: false,
        confirmations: 0,
        required_confirmations: 1,
        was_confirmed: false,
        seen_at: FIRST,
        market_stage_id: null,
        market_token_price: null,
        market_crypto_price: null,
      })
      .execute()
    expect(await refusalOf(SMALL_SALE_FILE)).toEqual([
      '11 payment_tokens: expected usdc, since usdc was used for payments, found it gone',
    ])
    const grant = (tokens: bigint) =>
      database
        .insertInto('grants')
        .values({
          receipt_id: receipt.id,
          purchase_id,
          stage_id: 'stage-2',
          tokens: tokenAmount(tokens),
          is_short: tokens === 0n,
        })
        .execute()
    const shift = withUsdc.length - SMALL_SALE_FILE.length
    const onlyFirst = withUsdc.slice(0, second + shift)
    // The stage was asked, and had nothing.
    await grant(0n)
    expect((await apply(onlyFirst)).changes).toHaveLength(1)
    await apply(withUsdc)
    await database.deleteFrom('grants').execute()
    await grant(5n)
    expect(await refusalOf(onlyFirst)).toEqual([
      expect.stringContaining('stages: expected stage-2, since tokens of it were bought'),
    ])
  })

  it('keeps a payment token that no purchase was made in, but that was swept', async () => {
    await apply(aSaleFileWithUsdc())
    const swept = { payment_token_id: 'usdc', amount: cryptoAmount(5n), fee: cryptoAmount(0n) }
    await open.database
      .insertInto('sweep_movements')
      .values({
        ...swept,
        chain: 'ERC20',
        transaction_hash: '0x1',
        output_index: 0,
        kind: 'out',
        address: `0x${'1'.repeat(40)}`,
        counterparty: `0x${'2'.repeat(40)}`,
        block_height: 5n,
        moved_at: FIRST,
      })
      .execute()
    expect(await refusalOf(SMALL_SALE_FILE)).toEqual([
      '11 payment_tokens: expected usdc, since usdc was used for payments, found it gone',
    ])
  })

  it('keeps the release schedule once buyers were given streams by it', async () => {
    const releasing = (first: number) =>
      `${SMALL_SALE_FILE}vesting: { starts: 2026-03-01T00:00:00Z, first_percentage: ${first}, months: 4 }\n`
    await apply(releasing(10))
    await buy('stage-1', { sold: 1n, reserved: 0n })
    const { database } = open
    await database.transaction().execute((transaction) => insertSnapshot(transaction, SNAPSHOT))
    const address = `0x${'1a'.repeat(20)}`
    const { id } = await database
      .insertInto('distributions')
      .values({
        snapshot: 1,
        tool: 'sablier_tranched',
        chain_id: 1n,
        token: address,
        token_decimals: 6,
        row_count: 2,
        tokens: tokenAmount(1n),
        amount: 1n,
        dust_count: 0,
        dust_tokens: tokenAmount(0n),
        root: new Uint8Array(32),
        schedule: '{}',
        made_at: FIRST,
        state: 'published',
        contract: address,
        from_height: 0n,
        published_at: FIRST,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const refused = expect.stringContaining(
      'vesting: expected 10 % released by month 0, since buyers were given streams with this schedule, found 20 %',
    )
    expect(await refusalOf(releasing(20))).toContainEqual(refused)

    // Everything was taken back out of its contract, and the list closed.
    await database
      .updateTable('distributions')
      .set({ state: 'closed', ended_at: FIRST, remaining: 0n })
      .where('id', '=', id)
      .execute()
    const event = {
      distribution_id: id,
      kind: 'swept' as const,
      place: null,
      transaction_hash: `0x${'2b'.repeat(32)}`,
      log_index: 0,
      block_height: 5n,
      block_hash: `0x${'3c'.repeat(32)}`,
      at: FIRST,
      receiver: address,
      amount: 1n,
    }
    await database.insertInto('distribution_events').values(event).execute()
    expect((await apply(releasing(20), LATER)).changes).not.toEqual([])
  })

  it('leaves everything else open to change', async () => {
    await apply(SMALL_SALE_FILE)
    await buy('stage-1', { sold: 1n, reserved: 0n })
    const text = SMALL_SALE_FILE.replace('name: Pear', 'name: Peach')
      .replace('end_date: P30D', 'end_date: P20D')
      .replace('token_price: 0.75', 'token_price: 0.8')
    const { changes } = await apply(text, LATER)
    expect(changes).toEqual([
      'project: name Pear → Peach',
      'stage-1 "First": end_date 2026-01-31T00:00:00.000Z → 2026-01-21T00:00:00.000Z',
      'stage-2 "Second": token_price 0.75 → 0.8',
    ])
  })
})

function aSaleFileWithUsdc(): string {
  const usdc =
    '  - id: usdc\n    name: USD Coin\n    short_name: USDC\n    chain: ETH\n    decimals: 6\n'
  const more =
    'min_amount_fiat: 10\n    fixed_price: 1\n    payment_provider_ids: { sandbox: usdc }\n'
  return SMALL_SALE_FILE.replace('stages:\n', `${usdc}    ${more}stages:\n`)
}
