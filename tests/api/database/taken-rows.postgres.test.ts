import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { takeSettlements } from '#server/database/purchases/purchases.ts'
import { createGatewayPayments } from '#server/database/rails/gateway-payments.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'

const ROWS = 500
const TAKEN = 100

let open: TestDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

/** Has rows where PostgreSQL expects none, as it was empty when last analysed. */
async function fillUnexpectedly(
  table: 'settlements_due' | 'gateway_payments',
  insert: () => Promise<unknown>,
): Promise<void> {
  await insert()
  await open.database.deleteFrom(table).execute()
  await sql`analyze ${sql.table(table)}`.execute(open.database)
  await insert()
}

test('no more purchases are taken to be settled together than a batch has', async () => {
  const { database } = open
  await fillUnexpectedly('settlements_due', () =>
    database
      .insertInto('settlements_due')
      .values(Array.from({ length: ROWS }, () => ({ purchase_id: randomUUID() })))
      .execute(),
  )
  const taken = await database
    .transaction()
    .execute((transaction) => takeSettlements(transaction, TAKEN))
  expect(taken).toHaveLength(TAKEN)
})

test.each(['claimDue', 'claimLost'] as const)(
  'no more payments of a gateway are claimed than are asked about at once (%s)',
  async (claim) => {
    const { database } = open
    const now = new Date()
    await fillUnexpectedly('gateway_payments', () =>
      database
        .insertInto('gateway_payments')
        .values(
          Array.from({ length: ROWS }, () => ({
            gateway: 'btcpay',
            purchase_id: randomUUID(),
            payment_token_id: 'btc',
            is_own: true,
            payment_id: claim === 'claimDue' ? randomUUID() : null,
            created_at: now,
            ask_next_at: now,
          })),
        )
        .execute(),
    )
    const payments = createGatewayPayments(database, 'btcpay')
    const taken = {
      claimDue: () => payments.claimDue(now, TAKEN, 60_000, ['btc']),
      claimLost: () => payments.claimLost(now, TAKEN, 60_000),
    }
    expect(await taken[claim]()).toHaveLength(TAKEN)
  },
)
