import { type RawBuilder, sql } from 'kysely'

import type { CryptoAmount } from '#domain/money.ts'
import { promisedClaimStates } from '#domain/refunds/claim-states.ts'
import type { RefundDue, RefundState } from '#domain/settlement/outcome.ts'
import type { RailName } from '#domain/sale/sale.ts'
import { isHeld } from '#server/database/refunds/claims.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

export type RefundRow = {
  state: RefundState
  receipt_id: string
  /** Of the payment; zero while it is open, and -1 while it is promised. */
  payment_id: bigint
  purchase_id: string
  user_id: string
  email: string
  /** Of the receipt; null if its asset is not one of the sale's payment tokens. */
  payment_token_id: string | null
  /** What its chain calls it in that case. */
  asset: string | null
  amount: CryptoAmount
  /** What of it was withheld for the network; null until it is paid. */
  fee: CryptoAmount | null
  why: RefundDue['why']
  since: Date
  chain: string
  receipt_hash: string
  address: string
  rail: RailName
  paid_hash: string | null
  paid_at: Date | null
  /** Since when a chain no longer has the transaction that had paid its claim; null if it does. */
  gone_at: Date | null
  /** The open claim that its receipt is in. */
  claim_id: string | null
  /** Whether it is open and an operator holds its purchase: then it is not paid. */
  is_held: boolean
}

/** Where a page begins, inclusive. */
export type RefundPlace = { since: Date; receiptId: string; paymentId: bigint }

const open = sql`
  select
    'open' as state, receipt_id, 0::bigint as payment_id, amount, null::numeric as fee, why, since,
    null::text as paid_hash, null::timestamptz as paid_at, null::timestamptz as gone_at
  from refunds_due`

/** What an operator has approved a claim to, and what is not paid yet. */
const promised = sql`
  select
    'promised' as state, part.receipt_id, (-1)::bigint as payment_id, part.amount,
    null::numeric as fee, part.why, part.owed_since as since,
    null::text as paid_hash, null::timestamptz as paid_at, null::timestamptz as gone_at
  from refund_claim_parts as part join refund_claims as claim on claim.id = part.claim_id`
const isPromised = sql<boolean>`(part.is_active and claim.state in (${sql.join(
  promisedClaimStates.map((state) => sql.lit(state)),
)}))`

/** Payments made for money that the ledger does not hold. */
const isUncovered = sql<boolean>`((
  select receipts.booked from receipts where receipts.id = payment.receipt_id
) < (
  select sum(every.amount) from refund_payments as every
  where every.receipt_id = payment.receipt_id
))`

const paid = sql`
  select
    case when ${isUncovered} then 'uncovered' else 'paid' end as state, receipt_id,
    id as payment_id, amount, fee, why, owed_since as since, transaction_hash as paid_hash, paid_at,
    (select claim.gone_at from refund_claims as claim where claim.id = payment.claim_id) as gone_at
  from refund_payments as payment`

/** The receipts that the ledger holds only in part, among which are those of uncovered payments. */
const isUnbooked = sql<boolean>`
  receipt_id = any (array(select id from receipts where booked < amount))`

/** Refunds of a state or of all, longest owed first. */
export async function listRefundRows(
  database: Database,
  page: { state: RefundState | 'all'; start: RefundPlace | null; countMax: number },
): Promise<RefundRow[]> {
  const { state, start, countMax } = page
  // Each list is read in the order of its index, and no further than one page.
  const pageOf = (
    list: RawBuilder<unknown>,
    [since, id]: [string, string],
    isWanted: RawBuilder<unknown> = sql`true`,
  ) => {
    const columns = sql`${sql.ref(since)}, receipt_id, ${sql.raw(id)}`
    const beyond =
      start === null
        ? sql`true`
        : sql`(${sql.ref(since)}, receipt_id) >= (${start.since}, ${start.receiptId}::uuid)
            and (${columns}) >=
              (${start.since}, ${start.receiptId}::uuid, ${start.paymentId}::bigint)`
    return sql`(${list} where ${isWanted} and ${beyond} order by ${columns} limit ${countMax})`
  }
  const owed = pageOf(open, ['since', '0::bigint'])
  const lists = {
    open: owed,
    promised: pageOf(promised, ['owed_since', '(-1)::bigint'], isPromised),
    paid: pageOf(paid, ['owed_since', 'id'], sql`not ${isUncovered}`),
    uncovered: pageOf(paid, ['owed_since', 'id'], sql`${isUnbooked} and ${isUncovered}`),
    all: sql`
      ${owed}
      union all ${pageOf(promised, ['owed_since', '(-1)::bigint'], isPromised)}
      union all ${pageOf(paid, ['owed_since', 'id'])}`,
  }
  return await readRows(database, lists[state], countMax)
}

export async function listRefundRowsOf(
  database: Database,
  purchaseId: string,
): Promise<RefundRow[]> {
  const isIts = sql`purchase_id = ${purchaseId}`
  const all = sql`
    ${open} where ${isIts}
    union all ${promised} where ${isIts} and ${isPromised}
    union all ${paid} where ${isIts}`
  return await readRows(database, all, null)
}

export async function findRefundRow(
  database: Database,
  paymentId: bigint,
): Promise<RefundRow | null> {
  const [row] = await readRows(database, sql`${paid} where id = ${paymentId}`, 1)
  return row ?? null
}

async function readRows(
  database: Database,
  refunds: RawBuilder<unknown>,
  countMax: number | null,
): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select
      refund.*, receipts.purchase_id, purchases.user_id, users.email, receipts.payment_token_id, receipts.asset,
      receipts.chain, receipts.transaction_hash as receipt_hash, purchases.address, purchases.rail,
      (
        select part.claim_id from refund_claim_parts as part
        where part.receipt_id = refund.receipt_id and part.is_active
          and refund.state in ('open', 'promised')
      ) as claim_id,
      refund.state = 'open' and ${isHeld('receipts.purchase_id')} as is_held
    from (${refunds}) as refund
    join receipts on receipts.id = refund.receipt_id
    join purchases on purchases.id = receipts.purchase_id
    join users on users.id = purchases.user_id
    order by since, receipt_id, payment_id
    limit ${countMax}::bigint`.execute(database)
  return rows
}

export type OwedAsset = {
  payment_token_id: string | null
  /** With the chain's name if it is not a payment token: as in the ledger. */
  asset: string
  amount: CryptoAmount
  count: number
}

const assetOfReceipt = sql<string>`coalesce(
  receipts.payment_token_id, receipts.chain || '/' || coalesce(receipts.asset, 'unknown')
)`

/** What is owed back in all, by the asset that it came in, including what is promised to claims. */
export async function sumOwed(database: Database): Promise<OwedAsset[]> {
  const { rows } = await sql<OwedAsset>`
    select
      receipts.payment_token_id, ${assetOfReceipt} as asset, sum(owed.amount) as amount,
      count(*)::integer as count
    from (
      select receipt_id, amount from refunds_due
      union all
      select part.receipt_id, part.amount
      from refund_claim_parts as part join refund_claims as claim on claim.id = part.claim_id
      where ${isPromised}
    ) as owed
    join receipts on receipts.id = owed.receipt_id
    group by receipts.payment_token_id, 2
    order by receipts.payment_token_id, 2`.execute(database)
  return rows
}

export type RefundCounts = Record<RefundState, number>

export async function countRefunds(database: Database): Promise<RefundCounts> {
  const { rows } = await sql<RefundCounts>`
    with unbooked as materialized (select id, booked from receipts where booked < amount),
    lost as (
      select count(*)::integer as uncovered
      from unbooked join refund_payments on receipt_id = unbooked.id
      where booked < (
        select sum(every.amount) from refund_payments as every where every.receipt_id = unbooked.id
      )
    )
    select
      (select count(*)::integer from refunds_due) as open,
      (
        select count(*)::integer
        from refund_claim_parts as part join refund_claims as claim on claim.id = part.claim_id
        where ${isPromised}
      ) as promised,
      coalesce((select paid::integer from refund_sums), 0) - uncovered as paid,
      uncovered
    from lost`.execute(database)
  return rows[0] ?? { open: 0, promised: 0, paid: 0, uncovered: 0 }
}

export type OwedReceipt = {
  id: string
  purchaseId: string
  chain: string
  paymentTokenId: string | null
  asset: string | null
  /** Whether an operator holds its purchase. */
  isHeld: boolean
  owed: { amount: CryptoAmount; why: RefundDue['why']; since: Date } | null
}

/** Null if there is no such receipt. */
export async function findOwedReceipt(
  database: Database,
  receiptId: string,
): Promise<OwedReceipt | null> {
  const row = await database
    .selectFrom('receipts')
    .leftJoin('refunds_due', 'refunds_due.receipt_id', 'receipts.id')
    .select([
      'receipts.id',
      'receipts.purchase_id as purchaseId',
      'receipts.chain',
      'receipts.payment_token_id as paymentTokenId',
      'receipts.asset',
      'refunds_due.amount',
      'refunds_due.why',
      'refunds_due.since',
    ])
    .select(isHeld('receipts.purchase_id').as('isHeld'))
    .where('receipts.id', '=', receiptId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { amount, why, since, ...receipt } = row
  const isOwed = amount !== null && why !== null && since !== null
  return { ...receipt, owed: isOwed ? { amount, why, since } : null }
}

/** Takes a refund off the list, once it is paid. */
export async function deleteRefundDue(
  transaction: DatabaseTransaction,
  receiptId: string,
): Promise<void> {
  await transaction.deleteFrom('refunds_due').where('receipt_id', '=', receiptId).execute()
}
