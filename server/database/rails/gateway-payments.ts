import { sql } from 'kysely'
import { requestSettlements } from '#server/database/purchases/purchases.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { GatewayRecord } from '#server/ports/gateway-record.ts'
import type { WebhookHint } from '#server/ports/rail.ts'
import { CLOCKS_APART_MAX_MS } from './chains.ts'

type Made = { paymentId: string; address: string }
type Claim = { countMax: number; holdMs: number }

/** The payments requested from one gateway: how they begin, and when to ask about them. */
export function createGatewayPayments(
  database: Database,
  gateway: string,
): Omit<GatewayRecord, 'save' | 'changesAfter'> {
  return {
    async begin(purchaseId, paymentTokenId, at) {
      await database
        .insertInto('gateway_payments')
        .values({
          gateway,
          purchase_id: purchaseId,
          payment_token_id: paymentTokenId,
          is_own: true,
          created_at: at,
          // If no reply has come by then, the payment is searched for.
          ask_next_at: new Date(at.getTime() + ANSWER_UNDER_WAY_MS),
        })
        .execute()
    },

    async refused(purchaseId) {
      await database
        .updateTable('gateway_payments')
        .set({ ask_next_at: null })
        .where('purchase_id', '=', purchaseId)
        .where('is_own', '=', true)
        .where('payment_id', 'is', null)
        .execute()
    },

    made: (purchaseId, answer) => made(database, purchaseId, answer, gateway),

    claimDue: (now, countMax, holdMs, paymentTokenIds) =>
      claimDue(database, gateway, now, { countMax, holdMs, paymentTokenIds }),

    claimLost: (now, countMax, holdMs) => claimLost(database, gateway, now, { countMax, holdMs }),

    found: (lost, answer) => found(database, gateway, lost, answer),

    async postpone({ id, heldUntil }, askNextAt, { isUnknown } = { isUnknown: false }) {
      await database.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('gateway_payments')
          .set({ ask_next_at: askNextAt, ...(isUnknown && { said: 'unknown' }) })
          .where('id', '=', id)
          .where('ask_next_at', '=', heldUntil)
          .returning('purchase_id')
          .executeTakeFirst()
        if (row === undefined || askNextAt !== null) return
        const purchase = await transaction
          .selectFrom('purchases')
          .select('id')
          .where('id', '=', row.purchase_id)
          .executeTakeFirst()
        // While the payment was due, it may have kept the purchase from being settled for good.
        if (purchase !== undefined) await requestSettlements(transaction, [purchase.id])
      })
    },

    follow: (hint, now) => follow(database, gateway, hint, now),
  }
}

/** How long a reply may still be on its way. */
export const ANSWER_UNDER_WAY_MS = 60_000

async function made(
  database: Database,
  purchaseId: string,
  { paymentId, address }: Made,
  gateway: string,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    // A webhook may have named it before the reply came.
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

/** No question waits for the next one longer than an hour. */
const PAUSE_MAX_MS = 3_600_000

/** Makes due whatever waits for a time that only a clock that was ahead can have set. */
async function correctDates(database: Database, gateway: string, now: Date): Promise<void> {
  await database
    .updateTable('gateway_payments')
    .set({ ask_next_at: now })
    .where('gateway', '=', gateway)
    .where('ask_next_at', '>', new Date(now.getTime() + PAUSE_MAX_MS + CLOCKS_APART_MAX_MS))
    .execute()
}

/** What is due, longest overdue first, without what another instance has claimed at this moment. */
const dueIds = (database: Database, gateway: string, now: Date, countMax: number) =>
  database
    .selectFrom('gateway_payments')
    .select('id')
    .where('gateway', '=', gateway)
    .where('ask_next_at', '<=', now)
    .orderBy('ask_next_at')
    .orderBy('id')
    .limit(countMax)
    .forUpdate()
    .skipLocked()

/** Not `in`, whose rows PostgreSQL may look up once for each payment, and so claim more. */
const anyOf = (due: ReturnType<typeof dueIds>) => sql<bigint>`any (array(${due}))`

async function claimLost(
  database: Database,
  gateway: string,
  now: Date,
  { countMax, holdMs }: Claim,
) {
  const heldUntil = new Date(now.getTime() + holdMs)
  const due = dueIds(database, gateway, now, countMax).where('payment_id', 'is', null)
  const rows = await database
    .updateTable('gateway_payments')
    .set({ ask_next_at: heldUntil })
    .where('id', '=', anyOf(due))
    .returning(['id', 'purchase_id as purchaseId', 'payment_token_id as paymentTokenId'])
    .returning('created_at as createdAt')
    .execute()
  return rows.map((row) => ({ ...row, heldUntil }))
}

/** If a webhook has named the payment before, it is followed already. */
async function found(
  database: Database,
  gateway: string,
  { id }: { id: bigint },
  { paymentId, address }: { paymentId: string; address: string | null },
): Promise<void> {
  await sql`
    update gateway_payments as lost set
      payment_id = case when known.is_followed then null else ${paymentId} end,
      address = case when known.is_given then null else ${address} end,
      ask_next_at = case when known.is_followed then null else lost.created_at end
    from (
      select
        exists (
          select from gateway_payments where gateway = ${gateway} and payment_id = ${paymentId}
        ) as is_followed,
        exists (
          select from gateway_payments where is_own and address = ${address}
        ) as is_given
    ) as known
    where lost.id = ${id} and lost.payment_id is null`.execute(database)
}

/**
 * How many payments requested from gateways may or may not have been made: no reply has come, and
 * they were not found since, nor put away in the inbox.
 */
export async function countLostPayments(database: Database, now: Date): Promise<number> {
  const { count } = await database
    .selectFrom('gateway_payments')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('is_own', '=', true)
    .where('payment_id', 'is', null)
    .where('ask_next_at', 'is not', null)
    .where('created_at', '<', new Date(now.getTime() - ANSWER_UNDER_WAY_MS))
    .where(
      sql<boolean>`not exists (
        select from inbox_closed as closed
        where closed.kind = 'lost_payment' and closed.item_id = gateway_payments.id::text
      )`,
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function claimDue(
  database: Database,
  gateway: string,
  now: Date,
  { countMax, holdMs, paymentTokenIds }: Claim & { paymentTokenIds: readonly string[] },
) {
  await correctDates(database, gateway, now)
  const heldUntil = new Date(now.getTime() + holdMs)
  const latest = new Date(now.getTime() + CLOCKS_APART_MAX_MS)
  const due = dueIds(database, gateway, now, countMax)
    .where('payment_id', 'is not', null)
    .where('payment_token_id', 'in', paymentTokenIds)
  const rows = await database
    .updateTable('gateway_payments as payment')
    .set({
      ask_next_at: heldUntil,
      // An answer that a clock dated in the future would keep all others from being stored.
      asked_at: sql<Date | null>`case when asked_at <= ${latest} then asked_at end`,
      known_through: sql<Date | null>`case when known_through <= ${latest} then known_through end`,
    })
    .where('payment.id', '=', anyOf(due))
    .returning((select) => [
      'payment.id',
      'payment.purchase_id as purchaseId',
      'payment.payment_token_id as paymentTokenId',
      'payment.payment_id as paymentId',
      'payment.is_own as isOwn',
      'payment.created_at as createdAt',
      'payment.known_through as knownThrough',
      select
        .selectFrom('gateway_payments as own')
        .select('own.payment_id')
        .whereRef('own.purchase_id', '=', 'payment.purchase_id')
        .where('own.is_own', '=', true)
        .as('ownPaymentId'),
      select
        .selectFrom('purchases')
        .select('purchases.grace_ends_at')
        .whereRef('purchases.id', '=', 'payment.purchase_id')
        .as('graceEndsAt'),
    ])
    .execute()
  return rows.map((row) => ({ ...row, paymentId: row.paymentId ?? '', heldUntil }))
}

/**
 * A payment named by a webhook is asked about before all that are merely due, including those never
 * asked about: behind thousands of them it would wait for an hour.
 */
const FIRST = new Date(0)

async function follow(
  database: Database,
  gateway: string,
  { paymentId, parentId, orderId }: WebhookHint,
  now: Date,
): Promise<boolean> {
  const named = [paymentId, ...(parentId === null ? [] : [parentId])]
  const found = await database
    .updateTable('gateway_payments')
    .set({ ask_next_at: FIRST })
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
      ask_next_at: FIRST,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** The payment that was requested for a purchase, unless its reply may still be on its way. */
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
