import { sql } from 'kysely'
import { nameOfPaymentToken } from '#domain/sale/changes/describe-sale.ts'
import type { SubjectCheck } from './subject-check.ts'

/**
 * No more of any asset that the sale knows left an address than came to it; otherwise its keys, or
 * what was read about it, are not as they should be. How much of an asset moved before it belonged
 * to the sale is unknown. As much more of a token may leave as came by its contract then; other
 * contracts, which anybody can make, change nothing.
 */
export const nothingMoreLeft: SubjectCheck = {
  name: 'nothing_more_left',
  kind: 'purchase',
  find: (ids) => sql`
    with concerned as (
      select id, address from purchases where id = any (${ids}::uuid[])
        and exists (select from sweep_movements as moved where moved.address = purchases.address)
    ),
    moved as (
      select concerned.id, moved.chain, moved.payment_token_id,
        case moved.kind when 'gas' then moved.amount else -moved.amount - moved.fee end as amount
      from concerned join sweep_movements as moved using (address)
      where not moved.is_gone
      union all
      select concerned.id, chain, payment_token_id, amount
      from concerned join receipts on receipts.purchase_id = concerned.id
      where not is_gone
    ),
    -- What was taken up as a debt is a receipt.
    strange as (
      select concerned.id, chain, asset, amount
      from concerned join foreign_transfers on foreign_transfers.purchase_id = concerned.id
      where not is_gone and state <> 'owed' and is_held is distinct from false
    )
    select id as owner, id as subject, format(
      'From the address of purchase %s left %s %s more than came to it on %s', id, -sum(amount),
      payment_token_id, chain
    ) as fault
    from moved
    where payment_token_id is not null and not exists (
      select from moved as unnamed
      where unnamed.id = moved.id and unnamed.chain = moved.chain
        and unnamed.payment_token_id is null
    )
    group by id, chain, payment_token_id
    having sum(amount) + coalesce((
      select sum(strange.amount) from strange, sale
      where strange.id = moved.id and strange.chain = moved.chain
        and lower(strange.asset) = lower(
          sale.applied -> (${nameOfPaymentToken('')} || moved.payment_token_id) ->> 'contract'
        )
    ), 0) < 0`,
}
