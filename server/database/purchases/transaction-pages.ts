import { CREDITED_RECEIPTS_MAX } from '#domain/settlement/crediting.ts'
import { type CryptoAmount, cryptoAmount } from '#domain/money.ts'
import type { RefundClaimState } from '#domain/refunds/claim-states.ts'
import { assetOf } from '#domain/settlement/ledger.ts'
import type { RefundDue, TransactionState } from '#domain/settlement/outcome.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import { type PurchaseRow, readPurchase } from './purchase.ts'
import { findReward, readReward, type Reward } from './rewards.ts'
import type { NamedStatements, Row } from '#server/database/tables/tables.ts'

/** A purchase, or the user's reward as a referrer: what the wire calls a transaction. */
export type StoredTransaction = { id: string; createdAt: Date } & (
  | ({ type: 'purchase'; purchase: Purchase } & PurchaseMoney)
  | { type: 'referral'; reward: Reward }
)

/** What came for a purchase and what went back, matching its status. */
export type PurchaseMoney = {
  receipts: readonly SettledReceipt[]
  refunds: readonly StoredRefund[]
}

/** Money of a purchase that is owed back or was paid back. */
export type StoredRefund = {
  /** Null if the asset is not one of the sale's payment tokens. */
  paymentTokenId: string | null
  /** As the ledger names it. */
  asset: string
  amount: CryptoAmount
  /** What was sent of it, which is less the network's fee; null while it is owed. */
  sent: CryptoAmount | null
  why: RefundDue['why']
  /** The transaction that paid it; null while it is owed. */
  paidBy: { chain: string; transactionHash: string } | null
  /** The claim that it is in, or by which it was paid. */
  claim: { id: string; state: RefundClaimState } | null
}

/** A receipt as the last settlement of its purchase found it. */
export type SettledReceipt = {
  id: string
  transactionHash: string
  amount: CryptoAmount
  confirmations: number
  requiredConfirmations: number
  seenAt: Date
}

/** Where a page begins: at an item (`older`, inclusive) or just before it (`newer`). */
export type PageStart = { createdAt: Date; id: string; towards: 'older' | 'newer' }

/** Whose transactions are listed, and in which state; null lists all states. */
export type TransactionFilter = { userId: string; state: TransactionState | null }

/** Up to `countMax` transactions, from a place in the list or from its newest one. */
export type PageQuestion = TransactionFilter & { start: PageStart | null; countMax: number }

/** Pages that one statement can read together. */
export type PageVariant = {
  state: TransactionState | null
  towards: PageStart['towards'] | null
}

/** What was found, how many there are in all, and how many of these are newer than the start. */
export type StoredPage = { items: StoredTransaction[]; total: number; newer: number }

type Counts = { nth: bigint; total: number; newer: number; rewards: number }
/** Without a purchase, the columns of one are null. */
type PageRow = Counts & (({ id: string } & PurchaseRow & MoneyColumns) | { id: null })

/**
 * Users' transactions: the newest ones of each, or those next to the start in its direction,
 * nearest first. Anybody can send thousands of tiny amounts to a purchase: only the largest of its
 * receipts and refunds are read, or all if `receiptsMax` is null.
 */
export async function listStoredTransactions(
  statements: NamedStatements,
  variant: PageVariant,
  questions: readonly PageQuestion[],
  receiptsMax: number | null = CREDITED_RECEIPTS_MAX,
): Promise<StoredPage[]> {
  const rows = await statements.runNamed<PageRow>(
    `transactions_${nameOf(variant)}`,
    purchasesPage(variant),
    [
      questions.map(({ userId }) => userId),
      questions.map(({ countMax }) => countMax),
      questions.map(({ start }) => start?.createdAt ?? null),
      questions.map(({ start }) => start?.id ?? null),
      receiptsMax,
    ],
  )
  const byQuestion = Map.groupBy(rows, ({ nth }) => Number(nth) - 1)
  return await Promise.all(
    questions.map(async (question, nth): Promise<StoredPage> => {
      const theirs = byQuestion.get(nth) ?? []
      const { total = 0, newer = 0, rewards: count = 0 } = theirs[0] ?? {}
      const purchases = theirs.flatMap((row) => (row.id === null ? [] : [ofPurchase(row)]))
      // Few users have any, and what they earned is another kind of row.
      const rewards = count === 0 ? [] : await listRewards(statements, variant, question)
      const found = [...purchases, ...rewards]
      const isNewer = variant.towards === 'newer'
      const sorted = found.toSorted(isNewer ? byAge : (one, other) => byAge(other, one))
      return { items: sorted.slice(0, question.countMax), total, newer }
    }),
  )
}

async function listRewards(
  statements: NamedStatements,
  variant: PageVariant,
  { userId, start, countMax }: PageQuestion,
): Promise<StoredTransaction[]> {
  const rows = await statements.runNamed<Row<'rewards'>>(
    `rewards_${nameOf(variant)}`,
    rewardsPage(variant),
    [userId, countMax, ...(start === null ? [] : [start.createdAt, start.id])],
  )
  return rows.map(readReward).map(ofReward)
}

const nameOf = ({ state, towards }: PageVariant) => `${state ?? 'all'}_${towards ?? 'newest'}`

/**
 * Takes users, how many of each, the places to start from if there are any, and `receiptsMax`. The
 * planner must not see how many users there are: for a few it would plan again each time, which
 * takes ten times as long as running it.
 */
function purchasesPage({ state, towards }: PageVariant): string {
  const place = '(asked.start_at, asked.start_id)'
  const isNewer = towards === null ? 'false' : `(created_at, id) > ${place}`
  const direction = towards === 'newer' ? 'asc' : 'desc'
  return `
    select asked.nth, counted.*, page.*
    from unnest(
      (select $1::uuid[]), (select $2::integer[]), (select $3::timestamptz[]), (select $4::uuid[])
    ) with ordinality as asked (buyer_id, count_max, start_at, start_id, nth)
    cross join lateral (
      select sum(count)::integer as total, sum(newer)::integer as newer,
        sum(rewards)::integer as rewards
      from (
        select count(*) as count, count(*) filter (where ${isNewer}) as newer, 0 as rewards
        from purchases where user_id = asked.buyer_id and ${purchaseIsIn(state)}
        union all
        select count(*), count(*) filter (where ${isNewer}), count(*)
        from rewards where referrer_id = asked.buyer_id and ${rewardIsIn(state)}
      ) as part
    ) as counted
    left join lateral (
      select purchases.*, ${moneyColumns('$5')}
      from purchases
      where user_id = asked.buyer_id and ${purchaseIsIn(state)} and ${isBeyond(towards, place)}
      order by created_at ${direction}, id ${direction}
      limit asked.count_max
    ) as page on true
    order by asked.nth, page.created_at ${direction}, page.id ${direction}`
}

function rewardsPage({ state, towards }: PageVariant): string {
  const direction = towards === 'newer' ? 'asc' : 'desc'
  return `
    select * from rewards
    where referrer_id = $1 and ${rewardIsIn(state)}
      and ${isBeyond(towards, '($3::timestamptz, $4::uuid)')}
    order by created_at ${direction}, id ${direction}
    limit $2`
}

function isBeyond(towards: PageStart['towards'] | null, place: string): string {
  if (towards === null) return 'true'
  return `(created_at, id) ${towards === 'newer' ? '>' : '<='} ${place}`
}

function purchaseIsIn(state: TransactionState | null): string {
  switch (state) {
    case null:
      return 'true'
    case 'open':
      return `status in ('pending', 'processing')`
    case 'done':
      return `status = 'completed'`
    case 'refund':
      // The offset keeps this a look-up for each of the user's purchases: a join would read all
      // refunds.
      return `(
        exists (select from refunds_due where purchase_id = purchases.id offset 0)
        or exists (
          select from refund_claim_parts
          where purchase_id = purchases.id and is_active offset 0
        )
      )`
  }
}

/** Nobody pays for a reward: it either stands or was taken back. */
function rewardIsIn(state: TransactionState | null): string {
  if (state === null) return 'true'
  return state === 'done' ? `status = 'completed'` : 'false'
}

/** Oldest first, in the same order as the database. */
function byAge(one: StoredTransaction, other: StoredTransaction): number {
  const gapMs = one.createdAt.getTime() - other.createdAt.getTime()
  return gapMs !== 0 ? gapMs : one.id < other.id ? -1 : 1
}

/** Anybody's purchase or reward; null if there is neither. */
export async function findStoredTransaction(
  statements: NamedStatements,
  id: string,
): Promise<StoredTransaction | null> {
  const [purchase] = await statements.runNamed<PurchaseRow & MoneyColumns>(
    'purchase',
    `select purchases.*, ${moneyColumns('$2')} from purchases where id = $1`,
    [id, CREDITED_RECEIPTS_MAX],
  )
  if (purchase !== undefined) return ofPurchase(purchase)
  const reward = await findReward(statements, id)
  return reward === null ? null : ofReward(reward)
}

/** As they are put together in JSON, which has no integers of their size. */
type StoredReceipt = {
  id: string
  transaction_hash: string
  amount: string
  confirmations: number
  required_confirmations: number
  seen_at: string
}

type StoredRefundRow = {
  payment_token_id: string | null
  chain: string
  asset: string | null
  amount: string
  sent: string | null
  why: StoredRefund['why']
  paid_by: StoredRefund['paidBy']
  claim: StoredRefund['claim']
}

/** What is read with a purchase besides its own columns. */
type MoneyColumns = {
  settled_receipts: StoredReceipt[] | null
  stored_refunds: StoredRefundRow[] | null
}

/**
 * The receipts in its payment token with which a purchase was settled, the largest of them, oldest
 * first, and its refunds, longest owed first. Read in the same statement as the purchase, so that
 * no settlement comes between. Refunds are joined with receipts once the largest are chosen: where
 * the planner takes both for empty, it compares each of one with each of the other.
 */
const moneyColumns = (receiptsMax: string) => `
    (
      select json_agg(
        json_build_object(
          'id', id, 'transaction_hash', transaction_hash, 'seen_at', seen_at,
          'amount', settled_amount::text, 'confirmations', settled_confirmations,
          'required_confirmations', required_confirmations
        ) order by seen_at, id
      )
      from (
        select * from receipts
        where purchase_id = purchases.id and settled_amount is not null
          and payment_token_id = purchases.payment_token_id
        order by settled_amount desc, seen_at, id
        limit ${receiptsMax}::integer
      ) as receipt
    ) as settled_receipts,
    (
      select json_agg(
        json_build_object(
          'payment_token_id', payment_token_id, 'chain', chain, 'asset', asset,
          'amount', amount::text, 'sent', sent::text, 'why', why, 'paid_by', paid_by,
          'claim', coalesce(claim, claim_of_due)
        ) order by since, receipt_id, payment_id
      )
      from (
        select refund.*, receipts.payment_token_id, receipts.chain, receipts.asset, (
            select json_build_object('id', claim.id, 'state', claim.state)
            from refund_claim_parts as part
            join refund_claims as claim on claim.id = part.claim_id
            where part.receipt_id = refund.receipt_id and part.is_active
              and claim.state = 'claimed' and refund.is_due
          ) as claim_of_due
        from (
          select * from (
            select receipt_id, 0::bigint as payment_id, amount, null::numeric as sent, why, since,
              true as is_due,
              null::json as paid_by, null::json as claim
            from refunds_due where purchase_id = purchases.id
            union all
            select receipt_id, 0, part.amount, null, why, owed_since, false, null,
              json_build_object('id', claim.id, 'state', claim.state)
            from refund_claim_parts as part
            join refund_claims as claim on claim.id = part.claim_id
            where part.purchase_id = purchases.id and part.is_active and claim.state <> 'claimed'
            union all
            select receipt_id, id, amount, amount - fee, why, owed_since, false,
              json_build_object('chain', chain, 'transactionHash', transaction_hash),
              case when claim_id is not null then
                json_build_object('id', claim_id, 'state', 'confirmed')
              end
            from refund_payments where purchase_id = purchases.id
          ) as refund
          order by why = 'wrong_asset', amount desc, since, receipt_id, payment_id
          limit ${receiptsMax}::integer
        ) as refund
        join receipts on receipts.id = refund.receipt_id
      ) as refund
    ) as stored_refunds`

function ofPurchase(row: PurchaseRow & MoneyColumns): StoredTransaction {
  const receipts = (row.settled_receipts ?? []).map((receipt) => ({
    id: receipt.id,
    transactionHash: receipt.transaction_hash,
    amount: cryptoAmount(BigInt(receipt.amount)),
    confirmations: receipt.confirmations,
    requiredConfirmations: receipt.required_confirmations,
    seenAt: new Date(receipt.seen_at),
  }))
  const refunds = (row.stored_refunds ?? []).map((refund) => ({
    paymentTokenId: refund.payment_token_id,
    asset: assetOf({ ...refund, paymentTokenId: refund.payment_token_id }),
    amount: cryptoAmount(BigInt(refund.amount)),
    sent: refund.sent === null ? null : cryptoAmount(BigInt(refund.sent)),
    why: refund.why,
    paidBy: refund.paid_by,
    claim: refund.claim,
  }))
  const purchase = readPurchase(row)
  const { createdAt } = purchase.terms
  return { type: 'purchase', id: purchase.id, createdAt, purchase, receipts, refunds }
}

function ofReward(reward: Reward): StoredTransaction {
  return { type: 'referral', id: reward.id, createdAt: reward.createdAt, reward }
}
