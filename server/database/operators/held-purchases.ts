import { type RawBuilder, sql } from 'kysely'

import { isAsked } from './approvals.ts'

/**
 * Purchases that are held, also where their status shows it nowhere: one that expired or failed
 * keeps its status, and its claims wait all the same until it is released.
 */
export const heldPurchases = (moment: RawBuilder<unknown>) => sql`
  select purchases.id::text as item_id, coalesce(mark.at, purchases.created_at) as since,
    purchases.id as purchase_id, purchases.payment_token_id, null::numeric as amount,
    purchases.usd::numeric as usd, mark.reason as note
  from (
    select id from purchases where status_reason = 'held'
    union
    select purchase_id from operator_marks as mark
    where kind = 'held' and not exists (
        select from operator_marks as later
        where later.purchase_id = mark.purchase_id and later.id > mark.id
      ) and (
        exists (select from refunds_due where refunds_due.purchase_id = mark.purchase_id)
        or exists (
          select from refund_claim_parts as part
          where part.purchase_id = mark.purchase_id and part.is_active
        )
      )
  ) as held
  cross join lateral (select * from purchases where purchases.id = held.id offset 0) as purchases
  left join lateral (
    select operator_marks.at, operator_marks.reason from operator_marks
    where operator_marks.purchase_id = purchases.id order by id desc limit 1
  ) as mark on true
  where not ${isAsked('releasePurchase', sql`asked.about = purchases.id::text`, moment)}`
