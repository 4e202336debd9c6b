import { sql } from 'kysely'
import type { Database } from '#server/database/tables/tables.ts'
import type { WebhookHint } from '#server/ports/rail.ts'

type Made = { paymentId: string; address: string }

/** The payments asked of one gateway: how they begin, and when they are asked about. */
export function createGatewayPayments(database: Database, gateway: string) {
  return {
    async begin(purchaseId: string, paymentTokenId: string, at: Date): Promise<void> {
      await database
        .insertInto('gateway_payments')
        .values({
          gateway,
          purchase_id: purchaseId,
          payment_token_id: paymentTokenId,
          is_own: true,
          created_at: at,
        })
        .execute()
    },

    made: (purchaseId: string, answer: Made) => made(database, purchaseId, answer, gateway),

    claimDue: (now: Date, countMax: number, holdMs: number) =>
      claimDue(database, gateway, now, { countMax, holdMs }),

    async postpone({ id }: { id: bigint }, askNextAt: Date | null): Promise<void> {
      await database
        .updateTable('gateway_payments')
        .set({ ask_next_at: askNextAt })
        .where('id', '=', id)
        .execute()
    },

    follow: (hint: WebhookHint, now: Date) => follow(database, gateway, hint, now),
  }
}

const ANSWER_UNDER_WAY_MS = 60_000

async function made(
  database: Database,
  purchaseId: string,
  { paymentId, address }: Made,
  gateway: string,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    // A webhook may have named it before the answer came.
    await transaction
      .deleteFrom('gateway_payments')
      .where('gateway', '=', gateway)
      .where('payment_id', '=', paymentId)
      .where('is_own', '=', false)
      .where('asked_at', 'is', null)
      .execute()
    const updated = await transaction
      .updateTable('gateway_payments')
      .set({
        payment_id: paymentId,
        address,
        ask_next_at: sql<Date>`created_at`,
      })
      .where('purchase_id', '=', purchaseId)
      .where('is_own', '=', true)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('gateway_payments as other')
              .select('other.id')
              .where('other.is_own', '=', true)
              .where('other.address', '=', address),
          ),
        ),
      )
      .returning('id')
      .executeTakeFirst()
    return updated !== undefined
  })
}

async function claimDue(
  database: Database,
  gateway: string,
  now: Date,
  { countMax, holdMs }: { countMax: number; holdMs: number },
) {
  const heldUntil = new Date(now.getTime() + holdMs)
  const due = database
    .selectFrom('gateway_payments')
    .select('id')
    .where('gateway', '=', gateway)
    .where('payment_id', 'is not', null)
    .where('ask_next_at', '<=', now)
    .orderBy('ask_next_at')
    .orderBy('id')
    .limit(countMax)
    .forUpdate()
    .skipLocked()
  const rows = await database
    .updateTable('gateway_payments as payment')
    .set({ ask_next_at: heldUntil })
    .where('payment.id', 'in', due)
    .returning((select) => [
      'payment.id',
      'payment.purchase_id',
      'payment.payment_token_id',
      'payment.payment_id',
      'payment.is_own',
      'payment.created_at',
      'payment.asked_at',
      select
        .selectFrom('gateway_payments as own')
        .select('own.payment_id')
        .whereRef('own.purchase_id', '=', 'payment.purchase_id')
        .where('own.is_own', '=', true)
        .as('own_payment_id'),
      select
        .selectFrom('purchases')
        .select('purchases.expires_at')
        .whereRef('purchases.id', '=', 'payment.purchase_id')
        .as('expires_at'),
    ])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    purchaseId: row.purchase_id,
    paymentTokenId: row.payment_token_id,
    paymentId: row.payment_id ?? '',
    isOwn: row.is_own,
    ownPaymentId: row.own_payment_id,
    createdAt: row.created_at,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    heldUntil,
  }))
}

async function follow(
  database: Database,
  gateway: string,
  { paymentId, parentId, orderId }: WebhookHint,
  now: Date,
): Promise<boolean> {
  const named = [paymentId, ...(parentId === null ? [] : [parentId])]
  const found = await database
    .updateTable('gateway_payments')
    // Before all that are merely due: behind thousands of them it would wait for an hour.
    .set({ ask_next_at: sql<Date>`created_at` })
    .where('gateway', '=', gateway)
    .where('payment_id', 'in', named)
    .where('ask_next_at', 'is not', null)
    .returning(['payment_id', 'purchase_id', 'payment_token_id'])
    .execute()
  if (found.some((row) => row.payment_id === paymentId)) return true
  const parent = found[0] ?? (await findOwn(database, gateway, orderId, now))
  if (parent === null) return false
  await database
    .insertInto('gateway_payments')
    .values({
      gateway,
      purchase_id: parent.purchase_id,
      payment_token_id: parent.payment_token_id,
      is_own: false,
      payment_id: paymentId,
      created_at: now,
      ask_next_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** The payment that was asked for a purchase, unless its answer may still be on its way. */
async function findOwn(database: Database, gateway: string, purchaseId: string | null, now: Date) {
  if (purchaseId === null || !/^[0-9a-f-]{36}$/.test(purchaseId)) return null
  const row = await database
    .selectFrom('gateway_payments')
    .select(['purchase_id', 'payment_token_id'])
    .where('gateway', '=', gateway)
    .where('purchase_id', '=', purchaseId)
    .where('is_own', '=', true)
    .where((where) =>
      where.or([
        where('payment_id', 'is not', null),
        where('created_at', '<', new Date(now.getTime() - ANSWER_UNDER_WAY_MS)),
      ]),
    )
    .executeTakeFirst()
  return row ?? null
}
