import { type RawBuilder, sql } from 'kysely'

import { activeClaimStates, promisedClaimStates } from '#domain/refunds/claim-states.ts'
import { nothingMoreLeft } from './nothing-more-left.ts'
import { distributionChecks } from './distribution-checks.ts'
import { snapshotChecks } from './snapshot-checks.ts'
import type { SubjectCheck } from './subject-check.ts'
import { undoneChecks } from './undone-checks.ts'

const anyUuid = (ids: readonly string[]) => sql`any (${ids}::uuid[])`
const anyRow = (ids: readonly string[]) => sql`any (${ids}::bigint[])`

/** Each side of transfers: what an account received, or gave. */
export const movements = (which: RawBuilder<unknown>) => sql`
  select cause_id, destination as account, asset, amount from ledger_transfers where ${which}
  union all
  select cause_id, source, asset, -amount from ledger_transfers where ${which}`

const active = sql.join(activeClaimStates.map((state) => sql.lit(state)))

/** How much of a row of `receipts` is promised to a claim. */
const promisedOfReceipt = sql`
  select sum(part.amount) as amount
  from refund_claim_parts as part join refund_claims as claim on claim.id = part.claim_id
  where part.receipt_id = receipts.id and part.is_active
    and claim.state in (${sql.join(promisedClaimStates.map((state) => sql.lit(state)))})`

/**
 * What the ledger has for a purchase, account by account, matches its row, its receipts and its
 * refunds. With {@link totalChecks} it follows that the stage counters agree with all purchases,
 * without adding those up.
 */
const purchaseIsInLedger: SubjectCheck = {
  name: 'purchase_is_in_ledger',
  kind: 'purchase',
  find: (ids) => sql`
    with booked as (
      select cause_id as id, account, asset, sum(amount) as balance
      from (${movements(sql`cause_id = ${anyUuid(ids)}`)}) as movement
      group by cause_id, account, asset
    ),
    tokens as (
      select id, stage_id, user_id, 0::numeric as given, held::numeric as held
      from purchases where id = ${anyUuid(ids)}
      union all
      select id, part ->> 'stageId', user_id, (part ->> 'tokens')::numeric, 0
      from purchases, jsonb_array_elements(allocations) as part where id = ${anyUuid(ids)}
    ),
    money as (
      select receipts.purchase_id as id, 
        coalesce(payment_token_id, chain || '/' || coalesce(asset, 'unknown')) as asset,
        booked::numeric as booked, coalesce(due.amount, 0)::numeric as owed,
        coalesce(returned.amount, 0)::numeric as returned,
        coalesce(returned.fee, 0)::numeric as fees,
        coalesce(promised.amount, 0)::numeric as promised,
        greatest(
          coalesce(returned.amount, 0) + coalesce(promised.amount, 0) - booked, 0
        )::numeric as uncovered
      from receipts
      left join refunds_due as due on due.receipt_id = receipts.id
      left join lateral (
        select sum(amount) as amount, sum(fee) as fee from refund_payments
        where refund_payments.receipt_id = receipts.id
      ) as returned on true
      left join lateral (${promisedOfReceipt}) as promised on true
      where receipts.purchase_id = ${anyUuid(ids)}
    ),
    expected as (
      select id, account, asset, sum(amount) as balance
      from (
        select id, account, 'token' as asset, amount from tokens cross join lateral (
          values
            ('stage:' || stage_id || ':reserved', held),
            ('stage:' || stage_id || ':available', -held - given),
            ('user:' || user_id, given)
        ) as part (account, amount)
        union all
        select id, account || ':' || asset, asset, amount from money cross join lateral (
          values
            ('chain', -booked), ('received', booked - owed - promised - returned + uncovered),
            ('refunds', owed), ('promised', promised), ('paid_out', returned - fees),
            ('refund_fees', fees), ('uncovered', -uncovered)
        ) as part (account, amount)
      ) as part
      group by id, account, asset
    )
    select id as owner, id as subject, format(
      'Purchase %s has %s %s in %s by the ledger, and %s by what is known of it', id,
      coalesce(booked.balance, 0), asset, account, coalesce(expected.balance, 0)
    ) as fault
    from booked full join expected using (id, account, asset)
    where coalesce(booked.balance, 0) <> coalesce(expected.balance, 0)`,
}

const balanceIsGiven: SubjectCheck = {
  name: 'balance_is_given',
  kind: 'user',
  find: (ids) => sql`
    select user_id as owner, user_id as subject, format(
      'User %s has %s in the ledger, and was given %s', user_id, coalesce(balance, 0),
      coalesce(tokens, 0)
    ) as fault
    from (
      select user_id,
        sum(case when destination = 'user:' || user_id then amount else -amount end) as balance
      from ledger_transfers where user_id = ${anyUuid(ids)} and asset = 'token'
      group by user_id
    ) as owned
    full join (
      select user_id, sum(tokens) as tokens
      from (
        select user_id, (part ->> 'tokens')::numeric as tokens
        from purchases, jsonb_array_elements(allocations) as part where user_id = ${anyUuid(ids)}
        union all
        select referrer_id, tokens from rewards
        where referrer_id = ${anyUuid(ids)} and status = 'completed'
      ) as gift
      group by user_id
    ) as given using (user_id)
    where coalesce(balance, 0) <> coalesce(tokens, 0)`,
}

/**
 * Every transfer belongs to a purchase, to a reward or to a stage's supply, and names the user
 * whose account it moves: the other checks find it that way.
 */
const transferHasCause: SubjectCheck = {
  name: 'transfer_has_cause',
  kind: 'transfer',
  find: (ids) => sql`
    select id::text as owner, id::text as subject, format(
      'Transfer %s from %s to %s has no cause that explains it', id, source, destination
    ) as fault
    from ledger_transfers as transfer
    where id = ${anyRow(ids)} and ${isUnexplained}`,
}

/** For a row of the ledger called `transfer`. */
export const isUnexplained = sql<boolean>`(
  (source like 'user:%' and source is distinct from 'user:' || user_id)
  or (destination like 'user:%' and destination is distinct from 'user:' || user_id)
  or case
    when cause_id is null then
      source not like 'stage:%:available' and destination not like 'stage:%:available'
      or source <> 'sale:supply' and destination <> 'sale:supply'
    else not exists (select from purchases where purchases.id = cause_id) and not exists (
      select from rewards where rewards.id = cause_id
        and 'sale:supply' in (source, destination)
        and 'user:' || referrer_id in (source, destination)
    )
  end
)`

/** For a row of `receiving_wallets`. */
const setByOperators = (wallet: RawBuilder<unknown>) => sql`exists (
  select from operator_actions as action
  where action.user_id = ${wallet}.user_id and action.act = 'changeUserWallet'
    and action.details ->> 'address' = ${wallet}.address
)`

/** For a row of the outbox called `mail`; mails to operators have no user. */
export const hasNoUser = sql<boolean>`mail.user_id is not null
  and not exists (select from users where users.id = mail.user_id)`

/**
 * What must hold of each part of the stored sale at every moment. No check depends on another
 * subject, so it is enough to check what has changed.
 */
export const subjectChecks: readonly SubjectCheck[] = [
  purchaseIsInLedger,
  nothingMoreLeft,
  balanceIsGiven,
  transferHasCause,
  ...undoneChecks,
  ...snapshotChecks,
  ...distributionChecks,
  {
    name: 'credited_is_given',
    kind: 'purchase',
    find: (ids) => sql`
      select id as owner, id as subject, format(
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
        from purchases where id = ${anyUuid(ids)}
      ) as compared
      where credited <> given`,
  },
  {
    name: 'history_tells_status',
    kind: 'purchase',
    find: (ids) => sql`
      select id as owner, id as subject, format(
        'Purchase %s is %s, and its history ends with %s', id, status, last
      ) as fault
      from (
        select id, status || coalesce(':' || status_reason, '') as status, (
          select history.status || coalesce(':' || history.status_reason, '')
          from purchase_status_history as history
          where history.purchase_id = purchases.id order by history.id desc limit 1
        ) as last
        from purchases where id = ${anyUuid(ids)}
      ) as compared
      where last is distinct from status`,
  },
  {
    name: 'receipts_are_booked',
    kind: 'purchase',
    find: (ids) => sql`
      select purchase_id as owner, id as subject, format(
        'Receipt %s of %s is in the ledger as %s', id, amount, booked
      ) as fault
      from receipts
      where purchase_id = ${anyUuid(ids)}
        and booked <> case
          when not is_gone and confirmations >= required_confirmations then amount else 0 end
        and purchase_id not in (select purchase_id from settlements_due)`,
  },
  {
    name: 'receipts_are_shown',
    kind: 'purchase',
    find: (ids) => sql`
      select purchase_id as owner, id as subject, format(
        'Receipt %s of %s with %s confirmations is shown as %s with %s', id,
        case when is_gone then 0 else amount end, confirmations, coalesce(settled_amount, 0),
        coalesce(settled_confirmations, 0)
      ) as fault
      from receipts
      where purchase_id = ${anyUuid(ids)}
        and (settled_amount, settled_confirmations) is distinct from (
          case when not is_gone then amount end, case when not is_gone then confirmations end
        )
        and purchase_id not in (select purchase_id from settlements_due)`,
  },
  {
    name: 'money_is_used_once',
    kind: 'purchase',
    find: (ids) => sql`
      select id as owner, id as subject, format(
        'Purchase %s received %s, and credited %s, owes %s and has paid back %s',
        id, booked, credited_crypto, owed, returned
      ) as fault
      from (
        select receipts.purchase_id, sum(booked) as booked, coalesce(sum(due.amount), 0) as owed,
          -- What was paid back for a receipt that has gone took nothing from the others.
          sum(least(coalesce(returned.amount, 0) + coalesce(promised.amount, 0), booked))
            as returned
        from receipts
        join purchases on purchases.id = receipts.purchase_id
          and purchases.payment_token_id = receipts.payment_token_id
        left join refunds_due as due on due.receipt_id = receipts.id
        left join lateral (
          select sum(amount) as amount from refund_payments
          where refund_payments.receipt_id = receipts.id
        ) as returned on true
        left join lateral (${promisedOfReceipt}) as promised on true
        where receipts.purchase_id = ${anyUuid(ids)}
        group by receipts.purchase_id
      ) as used
      join purchases on purchases.id = purchase_id
      where credited_crypto + owed + returned > booked`,
  },
  {
    name: 'claims_have_parts',
    kind: 'purchase',
    find: (ids) => sql`
      select purchase_id as owner, claim_id as subject, format(
        'Refund claim %s is %s, to %s with a fee of %s, and its parts come to %s with %s', claim_id,
        state, claimed, fee, parts, part_fees
      ) as fault
      from (
        select about.purchase_id, claim.id as claim_id, claim.state, claim.amount as claimed,
          claim.fee, sum(part.amount) as parts, sum(part.fee) as part_fees,
          bool_and(part.is_active = (claim.state in (${active}))) as is_as_active,
          bool_and((claim.state = 'confirmed') = (payment.id is not null)) as is_as_paid
        from (
          select distinct purchase_id, claim_id from refund_claim_parts
          where purchase_id = ${anyUuid(ids)}
        ) as about
        join refund_claims as claim on claim.id = about.claim_id
        join refund_claim_parts as part on part.claim_id = claim.id
        left join refund_payments as payment on payment.claim_id = claim.id
          and payment.receipt_id = part.receipt_id and payment.amount = part.amount
          and payment.fee = part.fee
        group by about.purchase_id, claim.id
      ) as compared
      where claimed <> parts or fee <> part_fees or not is_as_active or not is_as_paid`,
  },
  {
    name: 'buyers_are_told',
    kind: 'purchase',
    find: (ids) => sql`
      select id as owner, id as subject, format(
        'Purchase %s was made and nobody was told', id
      ) as fault
      from purchases
      where id = ${anyUuid(ids)} and not exists (
        select from outbox_mails where unique_key = 'purchase_created:' || purchases.id
      )`,
  },
  {
    name: 'purchases_have_users',
    kind: 'purchase',
    find: (ids) => sql`
      select id as owner, id as subject, format(
        'Purchase %s belongs to %s, and there is no such user', id, user_id
      ) as fault
      from purchases
      where id = ${anyUuid(ids)}
        and not exists (select from users where users.id = purchases.user_id)`,
  },
  {
    name: 'mails_have_users',
    kind: 'mail',
    find: (ids) => sql`
      select id::text as owner, id::text as subject, format(
        'Mail %s is for %s, and there is no such user', id, user_id
      ) as fault
      from outbox_mails as mail
      where id = ${anyRow(ids)} and ${hasNoUser}`,
  },
  {
    name: 'one_first_purchase',
    kind: 'user',
    find: (ids) => sql`
      select user_id as owner, user_id as subject, format(
        'User %s has %s purchases with the bonus for a first one', user_id, count(*)
      ) as fault
      from purchases
      where user_id = ${anyUuid(ids)} and status = 'completed'
        and credited_bonuses ? 'first_purchase_bonus'
      group by user_id having count(*) > 1`,
  },
  {
    name: 'frozen_wallets_stay',
    kind: 'user',
    find: (ids) => sql`
      select wallet.user_id as owner, wallet.id as subject, format(
        'The receiving wallet of user %s was changed after the freeze, and by no operator',
        wallet.user_id
      ) as fault
      from receiving_wallets as wallet
      join lateral (
        select number from snapshots where taken_at < wallet.set_at order by number desc limit 1
      ) as newest on true
      join snapshot_owners as frozen
        on frozen.snapshot = newest.number and frozen.user_id = wallet.user_id
      where wallet.user_id = ${anyUuid(ids)} and wallet.cancelled_at is null
        and frozen.address is not null
        and not ${setByOperators(sql`wallet`)}
        and not exists (
          select from receiving_wallets as later
          where later.user_id = wallet.user_id and later.cancelled_at is null
            and later.effective_at > wallet.effective_at and ${setByOperators(sql`later`)}
        )
        -- A wallet that signs afterwards moves nothing.
        and wallet.address is distinct from (
          select earlier.address from receiving_wallets as earlier
          where earlier.user_id = wallet.user_id and earlier.cancelled_at is null
            and earlier.effective_at < wallet.effective_at
          order by earlier.effective_at desc limit 1
        )`,
  },
  {
    name: 'rewards_are_earned',
    kind: 'user',
    find: (ids) => sql`
      select referee_id as owner, id as subject, format(
        'Reward %s is %s, and the referred user has spent %s', id, status, spent
      ) as fault
      from (
        select rewards.*, coalesce((
          select sum(credited_usd) from purchases
          where user_id = referee_id and purchases.status = 'completed'
        ), 0) as spent
        from rewards where referee_id = ${anyUuid(ids)}
      ) as compared
      where status <> case when spent >= spend_usd and spent > 0 then 'completed' else 'failed' end`,
  },
]
