import { type RawBuilder, sql } from 'kysely'
import {
  type PurchaseSorting,
  type PurchaseStatus,
  purchaseStatuses,
} from '#domain/settlement/outcome.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { Database, Row } from '#server/database/tables/tables.ts'
import { type PurchaseRow, readPurchase } from './purchase.ts'

export type PurchaseKey =
  | { kind: 'id'; id: string }
  /** Ids from one on to another. */
  | { kind: 'number'; from: string; to: string }
  /** In its normalised form, of the buyer. */
  | { kind: 'email'; email: string }
  /** An address, or the hash of a transaction that paid it or paid it back. */
  | { kind: 'text'; text: string }

export type PurchaseSearch = {
  key: PurchaseKey | null
  userId?: string | undefined
  /** Only those with money that is owed back, or that has come and is not credited. */
  isAtStake: boolean
  status?: PurchaseStatus | undefined
  paymentTokenId?: string | undefined
  stageId?: string | undefined
  /** Made at or after `from`, and before `to`. */
  from?: Date | undefined
  to?: Date | undefined
  sorting: PurchaseSorting
}

export type FoundPurchase = Purchase & { email: string }

/** Where a page begins, inclusive. */
export type PurchasePlace = { createdAt: Date; usd: bigint; id: string }

/** What each sorting goes by, and in which direction. */
const sortings = {
  newest: {
    by: sql.ref('purchases.created_at'),
    direction: sql.raw('desc'),
    comparison: sql.raw('<='),
  },
  oldest: {
    by: sql.ref('purchases.created_at'),
    direction: sql.raw('asc'),
    comparison: sql.raw('>='),
  },
  largest: { by: sql.ref('purchases.usd'), direction: sql.raw('desc'), comparison: sql.raw('<=') },
} as const satisfies Record<PurchaseSorting, unknown>

/** Anybody's purchases in some order, from one on, inclusive. */
export async function searchPurchases(
  database: Database,
  search: PurchaseSearch,
  start: PurchasePlace | null,
  countMax: number,
): Promise<FoundPurchase[]> {
  const named = namedBy(search)
  const { by, direction } = sortings[search.sorting]
  const isWanted =
    named.length > 0
      ? sql.join([...named, isOfStatus(search), isLike(search, start)], sql` and `)
      : sql`purchases.id in (${firstIds(search, start, countMax)})`
  const { rows } = await sql<PurchaseRow & { email: string }>`
    select purchases.*, users.email
    from purchases join users on users.id = purchases.user_id
    where ${isWanted}
    order by ${by} ${direction}, purchases.id ${direction}
    limit ${countMax}`.execute(database)
  return rows.map((row) => ({ ...readPurchase(row), email: row.email }))
}

export async function findFoundPurchase(
  database: Database,
  id: string,
): Promise<FoundPurchase | null> {
  const row = await database
    .selectFrom('purchases')
    .innerJoin('users', 'users.id', 'purchases.user_id')
    .selectAll('purchases')
    .select('users.email')
    .where('purchases.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { ...readPurchase(row), email: row.email }
}

/** Keys that match few purchases, each with an index of its own. */
function namedBy({ key, userId, isAtStake }: PurchaseSearch): RawBuilder<unknown>[] {
  return [
    ...(key === null ? [] : [isNamed(key)]),
    ...(userId === undefined ? [] : [sql`purchases.user_id = ${userId}::uuid`]),
    ...(isAtStake ? [sql`purchases.id = any (array(${atStake}))`] : []),
  ]
}

/** What is promised to a claim is owed still. Of what waits for payment, a part may have come. */
const atStake = sql`
  select purchase_id from refunds_due
  union
  select purchase_id from refund_claim_parts where is_active
  union
  select id from purchases where status = 'processing'
  union
  select id from purchases
  where status = 'pending' and status_reason in ('underpaid', 'reorged')`

function isNamed(key: PurchaseKey): RawBuilder<unknown> {
  switch (key.kind) {
    case 'id':
      return sql`purchases.id = ${key.id}::uuid`
    case 'number':
      return sql`purchases.id between ${key.from}::uuid and ${key.to}::uuid`
    case 'email':
      return sql`purchases.user_id = (select id from users where email = ${key.email})`
    case 'text': {
      // Some chains' texts have only one spelling and others' do not; the input may be either.
      const lower = key.text.toLowerCase()
      const hashes = sql`${[...new Set([key.text, lower])]}::text[]`
      return sql`purchases.id = any (array(
        select id from purchases where lower(address) = ${lower}
        union
        select purchase_id from receipts where transaction_hash = any (${hashes})
        union
        select purchase_id from refund_payments where transaction_hash = any (${hashes})
      ))`
    }
  }
}

/**
 * The first of a status, or of each: so one index serves both, and at most a page of each is read.
 * Leaves out purchases that wait for payment, of which there are only ever few.
 */
function firstIds(
  search: PurchaseSearch,
  start: PurchasePlace | null,
  countMax: number,
): RawBuilder<unknown> {
  const { by, direction } = sortings[search.sorting]
  const firstOf = (status: PurchaseStatus) => sql`(
    select purchases.id, ${by} as place from purchases
    where purchases.status = ${sql.lit(status)} and ${isLike(search, start)}
    order by ${by} ${direction}, purchases.id ${direction}
    limit ${countMax}
  )`
  const wanted = search.status === undefined ? purchaseStatuses : [search.status]
  return sql`
    select first.id from (${sql.join(wanted.map(firstOf), sql` union all `)}) as first
    order by first.place ${direction}, first.id ${direction}
    limit ${countMax}`
}

function isOfStatus({ status }: PurchaseSearch): RawBuilder<unknown> {
  return status === undefined ? sql`true` : sql`purchases.status = ${status}`
}

function isLike(search: PurchaseSearch, start: PurchasePlace | null): RawBuilder<unknown> {
  const { paymentTokenId, stageId, from, to, sorting } = search
  const { by, comparison } = sortings[sorting]
  const place = sorting === 'largest' ? start?.usd : start?.createdAt
  return sql.join(
    [
      sql`true`,
      ...(paymentTokenId === undefined
        ? []
        : [sql`purchases.payment_token_id = ${paymentTokenId}`]),
      ...(stageId === undefined ? [] : [sql`purchases.stage_id = ${stageId}`]),
      ...(from === undefined ? [] : [sql`purchases.created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`purchases.created_at < ${to}`]),
      ...(start === null
        ? []
        : [sql`(${by}, purchases.id) ${comparison} (${place}, ${start.id}::uuid)`]),
    ],
    sql` and `,
  )
}

export type StatusRow = Row<'purchase_status_history'>
export type TransferRow = Row<'ledger_transfers'>

/** Every status that a purchase has had, oldest first. */
export async function listStatusesOf(database: Database, purchaseId: string): Promise<StatusRow[]> {
  return await database
    .selectFrom('purchase_status_history')
    .selectAll()
    .where('purchase_id', '=', purchaseId)
    .orderBy('id')
    .execute()
}

/** Every ledger transfer that a purchase caused, oldest first. */
export async function listTransfersOf(
  database: Database,
  purchaseId: string,
): Promise<TransferRow[]> {
  return await database
    .selectFrom('ledger_transfers')
    .selectAll()
    .where('cause_id', '=', purchaseId)
    .orderBy('id')
    .execute()
}

export type PurchaseMailRow = Pick<
  Row<'outbox_mails'>,
  'kind' | 'created_at' | 'sent_at' | 'dropped_at' | 'is_given_up' | 'attempts'
>

/** Every mail about a purchase, oldest first. */
export async function listMailsOf(
  database: Database,
  { id, userId }: Pick<Purchase, 'id' | 'userId'>,
): Promise<PurchaseMailRow[]> {
  return await database
    .selectFrom('outbox_mails')
    .select(['kind', 'created_at', 'sent_at', 'dropped_at', 'is_given_up', 'attempts'])
    .where('user_id', '=', userId)
    .where(sql<string>`params ->> 'purchase_id'`, '=', id)
    .orderBy('id')
    .execute()
}

/** The totals of a user's purchases. */
export type BoughtSums = {
  count: number
  completed: number
  usd: bigint
  base: bigint
  bonuses: bigint
}

export async function sumBought(database: Database, userId: string): Promise<BoughtSums> {
  const { rows } = await sql<BoughtSums>`
    select
      count(*)::integer as count,
      (count(*) filter (where status = 'completed'))::integer as completed,
      coalesce(sum(credited_usd) filter (where status = 'completed'), 0) as usd,
      coalesce(sum(credited_base) filter (where status = 'completed'), 0) as base,
      coalesce(sum((
        select sum(bonus.tokens::numeric)
        from jsonb_each_text(credited_bonuses) as bonus (type, tokens)
      )) filter (where status = 'completed'), 0) as bonuses
    from purchases where user_id = ${userId}::uuid`.execute(database)
  return rows[0] ?? { count: 0, completed: 0, usd: 0n, base: 0n, bonuses: 0n }
}
