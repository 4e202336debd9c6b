import { type RawBuilder, sql } from 'kysely'

import type { Breach } from './breach.ts'
import { movements } from './invariant-checks.ts'

export type TotalCheck = { name: string; find: RawBuilder<Omit<Breach, 'check'>> }

/**
 * What must hold of the sums, in one snapshot. `known` are the balances of the accounts that belong
 * to no user, up to the transfer `throughId`: only later transfers are added up.
 */
export function totalChecks(known: RawBuilder<unknown>, throughId: bigint): readonly TotalCheck[] {
  return [
    {
      name: 'ledger_agrees',
      find: sql`
        with balances as materialized (
          select account, asset, sum(balance) as balance
          from (
            ${known}
            union all
            select account, asset, amount
            from (${movements(sql`id > ${throughId}`)}) as movement
            where account not like 'user:%'
          ) as part
          group by account, asset
        ),
        counted as (
          select 'stage:' || stage_id || ':available' as account,
            supply - reserved - sold as expected
          from stage_counters
          union all
          select 'stage:' || stage_id || ':reserved', reserved from stage_counters
        )
        select account as subject, format(
          'The ledger has %s in %s, and the counter says %s',
          coalesce(balance, 0), account, coalesce(expected, 0)
        ) as fault
        from counted
        full join (
          select account, balance from balances where account like 'stage:%' and asset = 'token'
        ) as stage using (account)
        where coalesce(balance, 0) <> coalesce(expected, 0)
        union all
        select account, format('The account %s is at %s %s', account, balance, asset)
        from balances
        where balance < 0 and account <> 'sale:supply' and account not like 'chain:%'
          and account not like 'uncovered:%'`,
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
  ]
}
