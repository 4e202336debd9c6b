import { sql } from 'kysely'

import { isHeld, isPaidSince } from '#server/database/refunds/claims.ts'

/**
 * The newest requests to mark receipts as paid that were not done, where nothing is owed any more
 * and nothing was recorded as paid since: if the money was sent, its buyer has it twice. What is
 * owed has its request with it, and a held purchase is in the inbox itself.
 */
export const marksWithoutDebt = sql`
  select mark.id::text as item_id, mark.decided_at as since, mark.purchase_id,
    null::text as payment_token_id, null::numeric as amount, mark.usd::numeric as usd,
    format(
      '%s asked: “%s”, by %s', coalesce(nullif(mark.asked_name, ''), 'Somebody'), mark.summary,
      mark.input ->> 'hash'
    ) as note
  from (
    select distinct on (about) * from approvals
    where act = 'payRefund' order by about, asked_at desc
  ) as mark
  join receipts on receipts.id = mark.about::uuid
  where mark.state in ('refused', 'withdrawn', 'expired', 'failed')
    and not ${isHeld('receipts.purchase_id')}
    and not exists (select from refunds_due as due where due.receipt_id = receipts.id)
    and not exists (
      select from refund_claim_parts as part where part.receipt_id = receipts.id and part.is_active
    )
    and not ${isPaidSince}`
