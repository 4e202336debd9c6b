import { type RawBuilder, sql } from 'kysely'

import { isGrowing } from '#server/database/books/growing-purchases.ts'

/**
 * Purchases with a payment that the network has not confirmed a day after it came and their time
 * ended, as where its fee is too low: they hold their tokens for it, or are completed and may gain
 * more by it. The few such payments are read first, since most purchases are completed.
 */
export const unconfirmedPurchases = (moment: RawBuilder<unknown>) => sql`
  select purchases.id::text as item_id, min(receipts.seen_at) as since,
    purchases.id as purchase_id, purchases.payment_token_id, null::numeric as amount,
    purchases.usd::numeric as usd, purchases.chain as note
  from (
    select * from receipts
    where not is_gone and confirmations < required_confirmations
      and seen_at <= ${moment} - interval '1 day'
    offset 0
  ) as receipts
  cross join lateral (
    select * from purchases where purchases.id = receipts.purchase_id offset 0
  ) as purchases
  where (
      ${isGrowing}
      or purchases.status = 'processing' and purchases.status_reason is distinct from 'held'
    )
    and purchases.grace_ends_at <= ${moment} - interval '1 day'
  group by purchases.id, purchases.payment_token_id, purchases.usd, purchases.chain`
