import { sql } from 'kysely'

/**
 * Whether a completed purchase may still gain tokens by a receipt: more was paid for it, which has
 * no confirmation yet. What came late while nothing was on sale buys nothing.
 */
export const isGrowing = sql<boolean>`(
  purchases.status = 'completed'
  and not receipts.is_gone and receipts.confirmations < receipts.required_confirmations
  and receipts.payment_token_id = purchases.payment_token_id
  and (receipts.market_stage_id is not null or receipts.seen_at <= purchases.grace_ends_at)
)`

/** Completed purchases that may still gain tokens. */
export const growingPurchases = sql`
  select purchases.id, purchases.created_at from receipts
  join purchases on purchases.id = receipts.purchase_id
  where ${isGrowing}`
