import { sql } from 'kysely'

/**
 * Completed purchases that may still gain tokens: more was paid for them, which has no confirmation
 * yet. What came late while nothing was on sale buys nothing.
 */
export const growingPurchases = sql`
  select purchases.id, purchases.created_at from receipts
  join purchases on purchases.id = receipts.purchase_id
  where not is_gone and receipts.confirmations < receipts.required_confirmations
    and receipts.payment_token_id = purchases.payment_token_id
    and (market_stage_id is not null or seen_at <= grace_ends_at)
    and status = 'completed'`
