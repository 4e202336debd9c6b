import { type RawBuilder, sql } from 'kysely'

/** A promise that is broken: by which check, of what, and a sentence with the figures. */
export type Breach = {
  check: string
  /** What it is about: the id of a stage, a purchase, a user, or an account. */
  subject: string
  fault: string
}

export type InvariantCheck = { name: string; find: RawBuilder<Omit<Breach, 'check'>> }

/** What purchases were given, by stage, with the buyer. */
const allocations = sql`
  select
    purchases.id, user_id, part ->> 'stageId' as stage_id, (part ->> 'tokens')::numeric as tokens
  from purchases, jsonb_array_elements(allocations) as part`

/**
 * The ledger against everything that it has to agree with. It is one statement because all of it
 * needs every balance, and adding those up is most of the work.
 */
const ledgerAgrees = sql<Omit<Breach, 'check'>>`
  with balances as materialized (
    select account, asset, sum(amount) as balance
    from (
      select destination as account, asset, amount from ledger_transfers
      union all
      select source, asset, -amount from ledger_transfers
    ) as movement
    group by account, asset
  ),
  counted as (
    select 'stage:' || stage_id || ':available' as account, supply - reserved - sold as expected
    from stage_counters
    union all
    select 'stage:' || stage_id || ':reserved', reserved from stage_counters
  ),
  given as (
    select user_id, sum(tokens) as tokens
    from (
      select user_id, tokens from (${allocations}) as allocation
      union all
      select referrer_id, tokens from rewards where status = 'completed'
    ) as gift
    group by user_id
  ),
  held as (
    select substring(account from ':(.*)$') as asset,
      sum(balance) as balance,
      sum(balance) filter (where account like 'refunds:%') as refunds,
      sum(balance) filter (where account like 'paid_out:%') as returned,
      -sum(balance) filter (where account like 'uncovered:%') as uncovered
    from balances
    where account like 'received:%' or account like 'refunds:%'
      or account like 'paid_out:%' or account like 'uncovered:%'
    group by 1
  ),
  returned as (
    select receipt_id, sum(amount) as amount from refund_payments group by receipt_id
  ),
  received as (
    select coalesce(payment_token_id, 'unknown') as asset,
      sum(booked) as booked, coalesce(sum(refund.amount), 0) as refunds,
      coalesce(sum(returned.amount), 0) as returned,
      coalesce(sum(greatest(returned.amount - booked, 0)), 0) as uncovered
    from receipts
    left join refunds_due as refund on refund.receipt_id = receipts.id
    left join returned on returned.receipt_id = receipts.id
    group by 1
  )
  select counted.account as subject, format(
    'The ledger has %s in %s, and the counter says %s',
    coalesce(balance, 0), counted.account, expected
  ) as fault
  from counted
  left join balances on balances.account = counted.account and asset = 'token'
  where coalesce(balance, 0) <> expected
  union all
  select account, format('The account %s is at %s %s', account, balance, asset)
  from balances
  where balance < 0 and account <> 'sale:supply' and account not like 'chain:%'
    and account not like 'uncovered:%'
  union all
  select user_id, format(
    'User %s has %s in the ledger, and was given %s', user_id, coalesce(balance, 0),
    coalesce(tokens, 0)
  )
  from (
    select substring(account from 6) as user_id, balance
    from balances where account like 'user:%' and asset = 'token'
  ) as owned
  full join (select user_id::text, tokens from given) as gift using (user_id)
  where coalesce(balance, 0) <> coalesce(tokens, 0)
  union all
  select asset, format(
    'The ledger holds %s %s, and the receipts are %s',
    coalesce(held.balance, 0), asset, coalesce(booked, 0)
  )
  from held full join received using (asset)
  where coalesce(held.balance, 0) <> coalesce(booked, 0)
  union all
  select asset, format(
    'The ledger owes %s %s, and the list says %s',
    coalesce(held.refunds, 0), asset, coalesce(received.refunds, 0)
  )
  from held full join received using (asset)
  where coalesce(held.refunds, 0) <> coalesce(received.refunds, 0)
  union all
  select asset, format(
    'The ledger has paid back %s %s, and the payments say %s',
    coalesce(held.returned, 0), asset, coalesce(received.returned, 0)
  )
  from held full join received using (asset)
  where coalesce(held.returned, 0) <> coalesce(received.returned, 0)
  union all
  select asset, format(
    'The ledger lacks %s %s for what was paid back, and the receipts say %s',
    coalesce(held.uncovered, 0), asset, coalesce(received.uncovered, 0)
  )
  from held full join received using (asset)
  where coalesce(held.uncovered, 0) <> coalesce(received.uncovered, 0)`

/**
 * What the stored sale promises at every moment. Each finds what breaks one promise, and reads
 * whole tables once: the time it takes grows with the sale, and not with its square.
 */
export const invariantChecks: readonly InvariantCheck[] = [
  { name: 'ledger_agrees', find: ledgerAgrees },
  {
    name: 'reservations_are_held',
    find: sql`
      select stage_id as subject, format(
        'Stage %s has %s reserved, and its purchases hold %s', stage_id, reserved,
        coalesce(held, 0)
      ) as fault
      from stage_counters
      left join (
        select stage_id, sum(held) as held from purchases where held > 0 group by stage_id
      ) as open using (stage_id)
      where reserved <> coalesce(held, 0)`,
  },
  {
    name: 'unpaid_is_counted',
    find: sql`
      select stage_id as subject, format(
        'Stage %s counts %s as reserved and not paid, and its purchases come to %s', stage_id,
        stage_counters.unpaid, coalesce(open.unpaid, 0)
      ) as fault
      from stage_counters
      left join (
        select stage_id, sum(unpaid_part(held, due, crypto_due)) as unpaid
        from purchases where status = 'pending' group by stage_id
      ) as open using (stage_id)
      where stage_counters.unpaid <> coalesce(open.unpaid, 0)`,
  },
  {
    name: 'sold_is_given',
    find: sql`
      select stage_id as subject, format(
        'Stage %s has sold %s, and purchases were given %s', stage_id, coalesce(sold, 0),
        coalesce(given, 0)
      ) as fault
      from stage_counters
      full join (
        select stage_id, sum(tokens) as given from (${allocations}) as part group by stage_id
      ) as part using (stage_id)
      where coalesce(sold, 0) <> coalesce(given, 0)`,
  },
  {
    name: 'credited_is_given',
    find: sql`
      select id as subject, format(
        'Purchase %s was credited %s tokens and given %s', id, credited, given
      ) as fault
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
          ) as given
        from purchases
        where credited_base <> 0 or credited_bonuses <> '{}' or allocations <> '[]'
      ) as compared
      where credited <> given`,
  },
  {
    name: 'history_tells_status',
    find: sql`
      select id as subject, format(
        'Purchase %s is %s, and its history ends with %s', id, status, last
      ) as fault
      from (
        select id, status || coalesce(':' || status_reason, '') as status, last
        from purchases
        left join (
          select distinct on (purchase_id)
            purchase_id, status || coalesce(':' || status_reason, '') as last
          from purchase_status_history
          order by purchase_id, id desc
        ) as history on history.purchase_id = purchases.id
      ) as compared
      where last is distinct from status`,
  },
  {
    name: 'receipts_are_booked',
    find: sql`
      select id as subject, format(
        'Receipt %s of %s is in the ledger as %s', id, amount, booked
      ) as fault
      from receipts
      where booked <> case
        when not is_gone and confirmations >= required_confirmations then amount else 0 end
        and purchase_id not in (select purchase_id from settlements_due)`,
  },
  {
    name: 'receipts_are_shown',
    find: sql`
      select id as subject, format(
        'Receipt %s of %s with %s confirmations is shown as %s with %s', id,
        case when is_gone then 0 else amount end, confirmations, coalesce(settled_amount, 0),
        coalesce(settled_confirmations, 0)
      ) as fault
      from receipts
      where (settled_amount, settled_confirmations) is distinct from (
          case when not is_gone then amount end, case when not is_gone then confirmations end
        )
        and purchase_id not in (select purchase_id from settlements_due)`,
  },
  {
    name: 'money_is_used_once',
    find: sql`
      select id as subject, format(
        'Purchase %s received %s, and credited %s, owes %s and has paid back %s',
        id, booked, credited_crypto, owed, returned
      ) as fault
      from (
        select receipts.purchase_id, sum(booked) as booked, coalesce(sum(due.amount), 0) as owed,
          -- What was paid back for a receipt that has gone took nothing from the others.
          sum(least(coalesce(returned.amount, 0), booked)) as returned
        from receipts
        join purchases on purchases.id = receipts.purchase_id
          and purchases.payment_token_id = receipts.payment_token_id
        left join refunds_due as due on due.receipt_id = receipts.id
        left join (
          select receipt_id, sum(amount) as amount from refund_payments group by receipt_id
        ) as returned on returned.receipt_id = receipts.id
        group by receipts.purchase_id
      ) as used
      join purchases on purchases.id = purchase_id
      where credited_crypto + owed + returned > booked`,
  },
  {
    name: 'buyers_are_told',
    find: sql`
      select id as subject, format('Purchase %s was made and nobody was told', id) as fault
      from purchases
      where not exists (
        select from outbox_mails where unique_key = 'purchase_created:' || purchases.id
      )`,
  },
  {
    name: 'one_first_purchase',
    find: sql`
      select user_id as subject, format(
        'User %s has %s purchases with the bonus for a first one', user_id, count(*)
      ) as fault
      from purchases
      where status = 'completed' and credited_bonuses ? 'first_purchase_bonus'
      group by user_id having count(*) > 1`,
  },
  {
    name: 'rewards_are_earned',
    find: sql`
      select id as subject, format(
        'Reward %s is %s, and the referred user has spent %s', id, status, spent
      ) as fault
      from (
        select rewards.*, coalesce((
          select sum(credited_usd) from purchases
          where user_id = referee_id and purchases.status = 'completed'
        ), 0) as spent
        from rewards
      ) as compared
      where status <> case when spent >= spend_usd and spent > 0 then 'completed' else 'failed' end`,
  },
]
