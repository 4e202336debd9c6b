import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { chunk } from '#server/database/tables/chunk.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { endingSale, freeze, passEnd, receiptsOf } from '#tests/kit/delivery/frozen-sale.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { parseDecimal, type TokenAmount } from '#domain/money.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** Ten trillion tokens with 18 decimals. */
const MOST = (10n ** 13n * 10n ** 18n) as TokenAmount
const TINY_COUNT = 10_000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: endingSale })
})
afterAll(() => app.close())

test('ten trillion tokens and ten thousand tiny rewards are leaves of one tree', async () => {
  const { database } = app.open
  const [whale, collector] = await manyUsers(database, 2)
  if (whale === undefined || collector === undefined) throw new Error('Two users were to be made.')
  const referees = (
    await Promise.all(Array.from({ length: TINY_COUNT / 1_000 }, () => manyUsers(database, 1_000)))
  ).flat()
  const now = app.clock.now()
  const rewards = referees.map(({ id }, nth) => ({
    id: randomUUID(),
    referee_id: id,
    referrer_id: nth === 0 ? whale.id : collector.id,
    stage_id: app.services.sale.stages[0]?.id ?? '',
    token_price: 1n as never,
    usd: 0n as never,
    spend_usd: 1n as never,
    tokens: nth === 0 ? MOST : (1n as TokenAmount),
    status: 'completed' as const,
    created_at: now,
    completed_at: now,
  }))
  for (const some of chunk(rewards)) {
    await database.insertInto('rewards').values(some).execute()
    await database
      .insertInto('ledger_transfers')
      .values(
        some.map(({ id, referrer_id: userId, tokens }) => ({
          cause_id: id,
          user_id: userId,
          source: 'sale:supply',
          destination: `user:${userId}`,
          asset: 'token',
          amount: tokens,
          at: now,
        })),
      )
      .execute()
  }
  // Nobody has bought anything for these rewards, which is not what this is about.
  await database.deleteFrom('unchecked').execute()
  // As autovacuum does within a minute: plans for empty tables can take longer than a check may.
  await sql`analyze rewards, ledger_transfers`.execute(database)
  await passEnd(app)
  const snapshot = await freeze(app)
  expect(snapshot).toMatchObject({ leaves: TINY_COUNT, owners: 2 })
  const { decimals } = app.services.sale.project
  expect(parseDecimal(snapshot.tokens, decimals)).toBe(MOST + BigInt(TINY_COUNT - 1))
  const [own] = (await receiptsOf(app, whale)).data
  expect(own?.value[1]).toBe(String(MOST))
  const page = await receiptsOf(app, collector, { limit: '100' })
  expect(page.data).toHaveLength(100)
  expect(page.after).not.toBeNull()
  const about = (await listBrokenInvariants(database)).filter((fault) => /snapshot/i.test(fault))
  expect(about).toEqual([])
}, 120_000)
