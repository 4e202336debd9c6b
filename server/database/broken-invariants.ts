import { type RawBuilder, sql } from 'kysely'
import type { Database } from './tables.ts'

type Fault = { fault: string }

/** The balance of every account in every asset. */
const balances = sql`
  select account, asset, sum(amount) as balance
  from (
    select destination as account, asset, amount from ledger_transfers
    union all
    select source, asset, -amount from ledger_transfers
  ) as movement
  group by account, asset`

const allocations = sql`
  select
    purchases.id, user_id, part ->> 'stageId' as stage_id,
    (part ->> 'tokens')::numeric as tokens
  from purchases, jsonb_array_elements(allocations) as part`

/** Each finds the rows that break one promise, as sentences. */
const checks: RawBuilder<Fault>[] = [
  sql`
    select format(
      'Stage %s has %s reserved, and its purchases hold %s', stage_id, reserved, held
    ) as fault
    from (
      select stage_id, reserved, coalesce(
        (select sum(held) from purchases where purchases.stage_id = counter.stage_id), 0
      ) as held
      from stage_counters as counter
    ) as stage
    where reserved <> held`,
  sql`
    select format(
      'Stage %s has sold %s, and purchases were given %s', stage_id, sold, given
    ) as fault
    from (
      select stage_id, sold, coalesce(
        (select sum(tokens) from (${allocations}) as part where part.stage_id = counter.stage_id), 0
      ) as given
      from stage_counters as counter
    ) as stage
    where sold <> given`,
  sql`
    select format(
      'The ledger has %s in %s, and the counter says %s', balance, account, expected
    ) as fault
    from (
      select account, expected, coalesce(
        (
          select balance from (${balances}) as b
          where b.account = counted.account and b.asset = 'token'
        ), 0
      ) as balance
      from (
        select 'stage:' || stage_id || ':available' as account, supply - reserved - sold as expected
        from stage_counters
        union all
        select 'stage:' || stage_id || ':reserved', reserved from stage_counters
      ) as counted
    ) as compared
    where balance <> expected`,
  sql`
    select format('The account %s is at %s %s', account, balance, asset) as fault
    from (${balances}) as b
    where balance < 0 and account <> 'sale:supply' and account not like 'chain:%'`,
  sql`
    select format(
      'User %s has %s in the ledger, and was given %s', user_id, balance, given
    ) as fault
    from (
      select id as user_id,
        coalesce(
          (
            select balance from (${balances}) as b
            where b.account = 'user:' || id and b.asset = 'token'
          ), 0
        ) as balance,
        coalesce(
          (select sum(tokens) from (${allocations}) as part where part.user_id = users.id), 0
        )
        + coalesce(
          (select sum(tokens) from rewards where referrer_id = users.id and status = 'completed'), 0
        ) as given
      from users
    ) as compared
    where balance <> given`,
  sql`
    select format('Purchase %s was credited %s tokens and given %s', id, credited, given) as fault
    from (
      select id,
        credited_base + coalesce(
          (select sum(value::numeric) from jsonb_each_text(credited_bonuses)), 0
        ) as credited,
        coalesce(
          (
            select sum((part ->> 'tokens')::numeric)
            from jsonb_array_elements(allocations) as part
          ), 0
        )
          as given
      from purchases
    ) as compared
    where credited <> given`,
  sql`
    select format('Purchase %s is %s, and its history ends with %s', id, status, last) as fault
    from (
      select id, status || coalesce(':' || status_reason, '') as status, (
        select history.status || coalesce(':' || history.status_reason, '')
        from purchase_status_history as history
        where history.purchase_id = purchases.id
        order by history.id desc limit 1
      ) as last
      from purchases
    ) as compared
    where last is distinct from status`,
  sql`
    select format('Receipt %s of %s is in the ledger as %s', id, amount, booked) as fault
    from receipts
    where booked <> case
      when not is_gone and confirmations >= required_confirmations then amount else 0 end
      and purchase_id not in (select purchase_id from settlements_due)`,
  sql`
    select format('The ledger holds %s %s, and the receipts are %s', held, asset, booked) as fault
    from (
      select asset,
        coalesce((
          select sum(balance) from (${balances}) as b
          where b.account in ('received:' || named.asset, 'refunds:' || named.asset)
        ), 0) as held,
        booked
      from (
        select coalesce(payment_token_id, 'unknown') as asset, sum(booked) as booked
        from receipts group by 1
      ) as named
    ) as compared
    where held <> booked`,
  sql`
    select format('The ledger owes %s %s, and the list says %s', owed, asset, listed) as fault
    from (
      select asset,
        coalesce(
          (select balance from (${balances}) as b where b.account = 'refunds:' || named.asset), 0
        ) as owed,
        listed
      from (
        select
          coalesce(payment_token_id, 'unknown') as asset,
          sum(coalesce(refund.amount, 0)) as listed
        from receipts left join refunds_due as refund on refund.receipt_id = receipts.id
        group by 1
      ) as named
    ) as compared
    where owed <> listed`,
  sql`
    select format('Purchase %s was made and nobody was told', id) as fault
    from purchases
    where not exists (
      select from outbox_mails where unique_key = 'purchase_created:' || purchases.id
    )`,
  sql`
    select format(
      'User %s has %s purchases with the bonus for a first one', user_id, count(*)
    ) as fault
    from purchases
    where status = 'completed' and credited_bonuses ? 'first_purchase_bonus'
    group by user_id having count(*) > 1`,
  sql`
    select format('Reward %s stands, and the referred user has spent %s', id, spent) as fault
    from (
      select rewards.*, coalesce((
        select sum(credited_usd) from purchases
        where user_id = referee_id and purchases.status = 'completed'
      ), 0) as spent
      from rewards
    ) as compared
    where status <> case when spent >= spend_usd and spent > 0 then 'completed' else 'failed' end`,
]

/**
 * What is broken of the promises that the stored sale keeps at every moment, as sentences; empty
 * where nothing is. It reads everything: for tests and for a look by an operator.
 */
export async function listBrokenInvariants(database: Database): Promise<string[]> {
  const faults: string[] = []
  for (const check of checks) {
    const { rows } = await check.execute(database)
    faults.push(...rows.map(({ fault }) => fault))
  }
  return faults
}
