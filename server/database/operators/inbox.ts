import { type RawBuilder, sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'

import type { CryptoAmount, Price, Usd } from '#domain/money.ts'
import type { ClosedByHand, InboxKind, InboxOrder } from '#domain/operators/inbox.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import { isLost } from '#server/database/books/mail-state.ts'
import { ANSWER_UNDER_WAY_MS } from '#server/database/rails/gateway-payments.ts'
import { isHeld } from '#server/database/refunds/claims.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { isAsked } from './approvals.ts'
import { marksWithoutDebt } from './ended-marks.ts'
import { heldPurchases } from './held-purchases.ts'
import { lateDeliveries } from './late-deliveries.ts'
import { unconfirmedPurchases } from './unconfirmed.ts'
import { isOpenUnmatched, unmatchedId } from './unmatched.ts'

export type InboxRow = {
  kind: StoredKind
  id: string
  since: Date
  purchaseId: string | null
  /** Whose lost mail it is; null for an operator's, and for every other kind. */
  userId: string | null
  /** Of the amount, by its name in the ledger. */
  asset: string | null
  amount: CryptoAmount | null
  /** What it is worth now, or what was asked for; null if that is unknown. */
  usd: Usd | null
  /** Why, or what it is; its meaning depends on the kind. */
  note: string | null
  /** The permission for the next step, if that is not the same for all of its kind. */
  permission: Permission | null
  ownerId: string | null
  ownerName: string | null
  ownerSince: Date | null
}

export type TokenValuation = { paymentTokenId: string; price: Price; decimals: number }

export type InboxQuestion = {
  order: InboxOrder
  /** Whose items: those of one person, those that nobody has taken, or all. */
  owner: { id: string } | 'nobody' | null
  itemId: string | null
  countMax: number
  now: Date
}

/** Dollars have 6 decimals, and prices 12. */
const PRICE_TO_USD = 6

const usdOf = (amount: string) => sql`
  ceil(${sql.ref(amount)}::numeric * valuation.price / (10::numeric ^ (valuation.decimals + ${sql.lit(PRICE_TO_USD)})))`

const isNotClosed = (kind: ClosedByHand, id: RawBuilder<unknown>) => sql`not exists (
  select from inbox_closed as closed where closed.kind = ${sql.lit(kind)} and closed.item_id = ${id}
)`

const assetOf = (from: 'receipts' | 'moved') => sql`coalesce(
  ${sql.ref(`${from}.payment_token_id`)},
  ${sql.ref(`${from}.chain`)} || '/' || coalesce(${sql.ref(`${from}.asset`)}, 'unknown')
)`

const paymentId = sql`payment.id::text`

const doubleId = sql`double.id::text`

/** A payout that was put away, came back and is gone again makes another item. */
const goneId = sql`concat_ws(':', claim.id, extract(epoch from claim.gone_at))`

/** When the list is read. */
const moment = sql`(select moment.now from moment)`

/** Further failures of a sweep that was put away make another item. */
const sweepId = sql`concat_ws(':', failed.sweep_id, failed.count)`

/**
 * One of its purchases is held, and is in the list itself: the claim waits until that is released.
 */
const isClaimHeld = sql`exists (
  select from refund_claim_parts as part
  where part.claim_id = claim.id and ${isHeld('part.purchase_id')}
)`

const isClaimUncovered = sql`exists (
  select from refund_claim_parts as part
  join receipts on receipts.id = part.receipt_id
  where part.claim_id = claim.id and receipts.booked < part.amount + coalesce((
    select sum(payment.amount) from refund_payments as payment
    where payment.receipt_id = part.receipt_id
  ), 0)
)`

const claims = (since: RawBuilder<unknown>, isWanted: RawBuilder<unknown>) => sql`
  select claim.id::text as item_id, ${since} as since, null::uuid as purchase_id,
    claim.payment_token_id, claim.amount::numeric as amount, ${usdOf('claim.amount')} as usd,
    claim.address as note
  from refund_claims as claim
  left join valuation on valuation.token = claim.payment_token_id
  where ${isWanted}`

const sources = {
  refund: sql`
    select due.receipt_id::text as item_id, due.since, due.purchase_id,
      ${assetOf('receipts')} as payment_token_id,
      due.amount::numeric as amount, ${usdOf('due.amount')} as usd,
      concat_ws(' ', due.why, mark.input ->> 'hash', mark.asked_name) as note
    from refunds_due as due
    join receipts on receipts.id = due.receipt_id
    left join valuation on valuation.token = receipts.payment_token_id
    -- The newest request to mark it as paid, which was not done.
    left join lateral (
      select input, asked_name, state from approvals
      where purchase_id = due.purchase_id and act = 'payRefund' and about = due.receipt_id::text
      order by asked_at desc limit 1
    ) as mark on mark.state <> 'done'
    -- What is claimed waits for what becomes of the claim; a request and what is held are in the
    -- list themselves.
    where not ${isHeld('due.purchase_id')} and not exists (
      select from refund_claim_parts as part where part.receipt_id = due.receipt_id and part.is_active
    ) and not ${isAsked('payRefund', sql`asked.about = due.receipt_id::text`, moment)}`,
  sent_not_owed: sql`${marksWithoutDebt}
    and ${isNotClosed('sent_not_owed', sql`mark.id::text`)}`,
  claim: claims(
    sql`claim.approvable_at`,
    sql`claim.state = 'claimed' and claim.approvable_at <= ${moment} and not ${isClaimHeld}
      and not ${isAsked('approveRefundClaim', sql`asked.about = claim.id::text`, moment)}`,
  ),
  claim_to_send: claims(
    sql`claim.approved_at`,
    sql`claim.state = 'approved' and not ${isClaimUncovered} and not ${isClaimHeld}
      and not ${isAsked('makeRefundBatch', sql`asked.input -> 'claim_ids' ? claim.id::text`, moment)}`,
  ),
  claim_uncovered: claims(
    sql`claim.approved_at`,
    sql`claim.state in ('approved', 'batched', 'sent') and ${isClaimUncovered}`,
  ),
  batch: sql`
    select batch.id::text as item_id, batch.created_at as since, null::uuid as purchase_id,
      null::text as payment_token_id, null::numeric as amount, (
        -- Something without a price may be worth any amount.
        select case when count(*) = count(valuation.price) then sum(${usdOf('claim.amount')}) end
        from refund_claims as claim
        left join valuation on valuation.token = claim.payment_token_id
        where claim.batch_id = batch.id and claim.state in ('batched', 'sent')
      ) as usd,
      concat_ws(' ', batch.state, batch.chain) as note
    from refund_batches as batch
    where batch.created_at <= ${moment} - interval '1 day' and (
      batch.state = 'open' or batch.state = 'sent' and exists (
        select from refund_claims as claim
        where claim.batch_id = batch.id and claim.state = 'sent' and claim.confirmations = 0
      )
    )`,
  paid_twice: sql`
    select ${doubleId} as item_id, double.found_at as since, null::uuid as purchase_id,
      claim.payment_token_id, (claim.amount - claim.fee)::numeric as amount,
      ${usdOf('claim.amount')} as usd, double.transaction_hash as note
    from refund_double_payments as double
    join refund_claims as claim on claim.id = double.claim_id
    left join valuation on valuation.token = claim.payment_token_id
    where ${isNotClosed('paid_twice', doubleId)}`,
  payout_gone: sql`
    select ${goneId} as item_id, claim.gone_at as since, null::uuid as purchase_id,
      claim.payment_token_id, (claim.amount - claim.fee)::numeric as amount,
      ${usdOf('claim.amount')} as usd,
      format('%s, by %s', claim.address, claim.transaction_hash) as note
    from refund_claims as claim
    left join valuation on valuation.token = claim.payment_token_id
    where claim.gone_at is not null and ${isNotClosed('payout_gone', goneId)}`,
  foreign: sql`
    select transfer.chain || ':' || transfer.asset as item_id, min(transfer.seen_at) as since,
      null::uuid as purchase_id, null::text as payment_token_id, null::numeric as amount,
      null::numeric as usd,
      format('%s of %s', count(*), coalesce(max(transfer.symbol) || ', ', '') || transfer.asset) as note
    from foreign_transfers as transfer
    -- What its address never held is worth nothing to anybody.
    where transfer.state = 'open' and not transfer.is_gone and transfer.is_held is distinct from false
    group by transfer.chain, transfer.asset`,
  sweep: sql`
    select ${sweepId} as item_id, sweeps.opened_at as since,
      null::uuid as purchase_id, null::text as payment_token_id, null::numeric as amount,
      null::numeric as usd, format('%s on %s', failed.count, sweeps.chain) as note
    from (
      select each.sweep_id, count(*) as count from sweep_transactions as each
      where each.state = 'failed' group by each.sweep_id
    ) as failed
    join sweeps on sweeps.id = failed.sweep_id
    where ${isNotClosed('sweep', sweepId)}`,
  // Whose answer was lost, so that no purchase was booked, or what the gateway does not know.
  lost_payment: sql`
    select payment.id::text as item_id, payment.created_at as since, purchases.id as purchase_id,
      payment.payment_token_id, null::numeric as amount, null::numeric as usd,
      format('%s, order %s', payment.gateway, payment.purchase_id) as note
    from gateway_payments as payment
    left join purchases on purchases.id = payment.purchase_id
    where payment.is_own and (payment.payment_id is null or payment.said = 'unknown')
      and payment.ask_next_at is not null
      and (payment.payment_id is not null or ${isNotClosed('lost_payment', paymentId)})
      and payment.created_at < ${moment} - interval '1 millisecond' * ${sql.lit(ANSWER_UNDER_WAY_MS)}
      and (payment.payment_id is null or purchases.status = 'pending' and purchases.grace_ends_at < ${moment})`,
  uncovered: sql`
    select ${paymentId} as item_id, payment.paid_at as since, payment.purchase_id,
      unbooked.payment_token_id, payment.amount::numeric as amount,
      ${usdOf('payment.amount')} as usd, payment.transaction_hash as note
    from receipts as unbooked
    join refund_payments as payment on payment.receipt_id = unbooked.id
    left join valuation on valuation.token = unbooked.payment_token_id
    where unbooked.booked < unbooked.amount and unbooked.booked < (
        select sum(every.amount) from refund_payments as every
        where every.receipt_id = unbooked.id
      ) and ${isNotClosed('uncovered', paymentId)}`,
  held: heldPurchases(moment),
  unconfirmed: unconfirmedPurchases(moment),
  unmatched: sql`
    select ${unmatchedId} as item_id, moved.seen_at as since, null::uuid as purchase_id,
      ${assetOf('moved')} as payment_token_id, moved.amount::numeric as amount, ${usdOf('moved.amount')} as usd,
      moved.address as note
    from unmatched_transfers as moved
    left join valuation on valuation.token = moved.payment_token_id
    where ${isOpenUnmatched}`,
  approval: sql`
    select approvals.id::text as item_id, approvals.asked_at as since, approvals.purchase_id,
      null::text as payment_token_id, null::numeric as amount, approvals.usd::numeric as usd,
      approvals.summary as note, approvals.permission as needs
    from approvals
    where approvals.state = 'waiting'`,
  mail: sql`
    select mail.id::text as item_id, mail.dropped_at as since,
      (mail.params ->> 'purchase_id')::uuid as purchase_id, null::text as payment_token_id,
      null::numeric as amount, null::numeric as usd, mail.user_id,
      concat_ws(' ', mail.kind, mail.recipient) as note
    from outbox_mails as mail
    where ${isLost('mail')}`,
  late_delivery: sql`
    select late.item_id, late.since, null::uuid as purchase_id, null::text as payment_token_id,
      null::numeric as amount, null::numeric as usd, late.note
    from (${lateDeliveries}) as late
    where ${isNotClosed('late_delivery', sql`late.item_id`)}`,
} satisfies Partial<Record<InboxKind, RawBuilder<unknown>>>

/** The kinds that are rows of tables; the others are what an instance or the guard last saw. */
type StoredKind = keyof typeof sources

export function isStored(kind: InboxKind): kind is StoredKind {
  return Object.hasOwn(sources, kind)
}

/** The embedded database runs in this process: a dozen of its queries in a row would block it. */
const letOthersGoOn = () => setImmediate()

/**
 * What of one kind waits for a person, with who has taken it. Whoever took what had the same id and
 * has ended since does not own it.
 */
export async function listInboxRows(
  database: Database,
  kind: StoredKind,
  valuations: readonly TokenValuation[],
  { order, owner, itemId, countMax, now }: InboxQuestion,
): Promise<InboxRow[]> {
  const isAsked = sql.join(
    [
      itemId === null ? sql`true` : sql`item.item_id = ${itemId}`,
      owner === null
        ? sql`true`
        : owner === 'nobody'
          ? sql`owner.operator_id is null`
          : sql`owner.operator_id = ${owner.id}`,
    ],
    sql` and `,
  )
  const permission = kind === 'approval' ? sql`item.needs` : sql`null`
  const userId = kind === 'mail' ? sql`item.user_id` : sql`null::uuid`
  const sorted = order === 'oldest' ? sql`item.since` : sql`item.usd desc nulls last, item.since`
  const { rows } = await sql<InboxRow>`
    with ${valuationTable(valuations)}, ${momentTable(now)}
    select ${sql.lit(kind)} as kind, item.item_id as id, item.since,
      item.purchase_id as "purchaseId", ${userId} as "userId",
      item.payment_token_id as asset, item.amount, item.usd, item.note, ${permission} as permission, owner.operator_id as "ownerId",
      owner.name as "ownerName", owner.since as "ownerSince"
    from (${sources[kind]}) as item
    left join (
      select owned.item_id, owned.operator_id, owned.since, operators.name
      from inbox_owners as owned join operators on operators.id = owned.operator_id
      where operators.removed_at is null and owned.kind = ${sql.lit(kind)}
    ) as owner on owner.item_id = item.item_id and ${ownsThis(kind)}
    where ${isAsked}
    order by ${sorted}, item.item_id
    limit ${countMax}`.execute(database)
  await letOthersGoOn()
  return rows
}

/**
 * Whoever took an item before it came took one that has ended. Of a stranger's token each transfer
 * can be put away by itself, and then the item begins with a later one.
 */
const ownsThis = (kind: StoredKind) =>
  kind === 'foreign' ? sql`true` : sql`owner.since >= item.since`

/** How many of a kind wait, up to `countMax`; whoever has taken them. */
export async function countInboxRows(
  database: Database,
  kind: StoredKind,
  { countMax, now }: Pick<InboxQuestion, 'countMax' | 'now'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ${valuationTable([])}, ${momentTable(now)}
    select count(*)::integer as count
    from (select from (${sources[kind]}) as item limit ${countMax}) as counted`.execute(database)
  await letOthersGoOn()
  return rows[0]?.count ?? 0
}

const momentTable = (now: Date) => sql`moment as (select ${now}::timestamptz as now)`

const valuationTable = (valuations: readonly TokenValuation[]) => sql`valuation as (
  select * from unnest(
    ${valuations.map(({ paymentTokenId }) => paymentTokenId)}::text[],
    ${valuations.map(({ price }) => String(price))}::numeric[],
    ${valuations.map(({ decimals }) => decimals)}::integer[]
  ) as each (token, price, decimals)
)`

/** Puts an item away for good. False if somebody has already. */
export async function closeInboxItem(
  transaction: DatabaseTransaction,
  closed: { kind: ClosedByHand; itemId: string; reason: string; at: Date },
): Promise<boolean> {
  const { kind, itemId, reason, at } = closed
  const row = await transaction
    .insertInto('inbox_closed')
    .values({ kind, item_id: itemId, reason, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return row !== undefined
}
