-- Nobody reserves what they show no sign of paying. What counts as unpaid of a purchase is the part
-- of it that is still due while it waits for its payment: a part payment frees its part alone, so
-- that a cent does not pass for a sign of paying a fortune.
create function unpaid_part(amount numeric, due numeric, crypto_due numeric) returns numeric
language sql immutable as $$
  select ceil(amount * due / crypto_due)
$$;

-- Where a purchase was made from: a keyed hash of the network, never an address, and only as long as
-- the purchase waits for its payment. Null for purchases that were made before there was this column.
alter table purchases add column connection_hash bytea;

create function forget_connection() returns trigger language plpgsql as $$
begin
  new.connection_hash := null;
  return new;
end
$$;

-- No status but the first needs it, whoever writes that: an instance of an earlier version as well.
create trigger forget_connection before update on purchases
  for each row when (new.connection_hash is not null and new.status <> 'pending')
  execute function forget_connection();

create index purchases_open_by_connection on purchases (connection_hash)
  where status = 'pending' and connection_hash is not null;
-- When each user last showed that they pay; a payment that is seen counts until it is confirmed.
create index purchases_paid on purchases (user_id, coalesce(completed_at, 'infinity'))
  where status in ('processing', 'completed');
-- What was let expire: nothing came, or less than the minimum, so that crumbs do not pass for a
-- payment. Whoever paid too late or in the wrong coin did pay.
create index purchases_lapsed on purchases (user_id, created_at) where
  status = 'expired' and status_reason is distinct from 'late'
    and status_reason is distinct from 'wrong_asset'
  or status = 'failed' and status_reason = 'underpaid';

-- What of `reserved` nobody has paid for. It is counted, since adding it up at each booking would
-- grow with the crowd.
alter table stage_counters add column unpaid base_units not null default 0;
update stage_counters set unpaid = counted.unpaid
  from (
    select stage_id, sum(unpaid_part(held, due, crypto_due)) as unpaid
    from purchases where status = 'pending' group by stage_id
  ) as counted
  where counted.stage_id = stage_counters.stage_id;

-- Follows every change of a purchase, whoever makes it. Settling holds the locks of all counters
-- when it comes here; what changes neither status nor amounts locks none. Booking counts by itself.
create function count_unpaid() returns trigger language plpgsql as $$
begin
  update stage_counters set unpaid = unpaid + moved.tokens
    from (
      select stage_id, sum(tokens) as tokens
      from (
        select stage_id, unpaid_part(held, due, crypto_due) as tokens
        from after_change where status = 'pending'
        union all
        select stage_id, -unpaid_part(held, due, crypto_due)
        from before_change where status = 'pending'
      ) as part
      group by stage_id
      having sum(tokens) <> 0
    ) as moved
    where moved.stage_id = stage_counters.stage_id;
  return null;
end
$$;

create trigger count_unpaid after update on purchases
  referencing old table as before_change new table as after_change
  for each statement execute function count_unpaid();

-- What a user has open and unpaid, and how often they let a purchase expire since they last paid
-- for one. More lapses than 32 change nothing any more.
create function unpaid_of_user(the_user uuid, the_stage text)
returns table (
  open_count bigint, usd numeric, tokens numeric, expires_at timestamptz,
  lapses bigint, lapsed_at timestamptz
)
language sql stable as $$
  select open.count, open.usd, open.tokens, open.expires_at, lapsed.count, lapsed.at
  from (
    select count(*) as count,
      coalesce(sum(unpaid_part(usd, due, crypto_due)), 0) as usd,
      coalesce(sum(unpaid_part(held, due, crypto_due)) filter (where stage_id = the_stage), 0)
        as tokens,
      min(expires_at) as expires_at
    from purchases where user_id = the_user and status = 'pending'
  ) as open,
  (
    select count(*) as count, max(lapse.expires_at) as at
    from (
      select purchases.expires_at from purchases
      where user_id = the_user
        and (
          status = 'expired' and status_reason is distinct from 'late'
            and status_reason is distinct from 'wrong_asset'
          or status = 'failed' and status_reason = 'underpaid'
        )
        and created_at > coalesce(
          (
            select max(coalesce(completed_at, 'infinity')) from purchases
            where user_id = the_user and status in ('processing', 'completed')
          ),
          '-infinity'
        )
      order by created_at desc limit 32
    ) as lapse
  ) as lapsed
$$;

create function unpaid_of_connection(the_connection bytea)
returns table (usd numeric, expires_at timestamptz)
language sql stable as $$
  select coalesce(sum(unpaid_part(usd, due, crypto_due)), 0), min(expires_at)
  from purchases where connection_hash = the_connection and status = 'pending'
$$;

-- As in 0003, with the bounds of what is unpaid. They are decided here, under the locks, so that
-- no race passes them. An element of the batch has besides
--   open_max                  how many unpaid purchases a user may have; half as many after each lapse
--   user_worth_max            how many unpaid dollars; null where there is no bound
--   connection_worth_max      how many unpaid dollars by its connection; null where there is no bound
--   connection_hash           that connection in hexadecimal digits; null where it is not known
--   unpaid_share              how many millionths of what is left of the stage may be unpaid
--   share_min                 how many tokens may be unpaid whatever that share is, so that a last
--                             remainder can be bought beside a small purchase of somebody else
--
-- The outcomes are those of 0003 and
--   lapsed (so many purchases were not paid that the next one has to wait), user_worth,
--   connection_worth, unpaid_share.
create or replace function create_purchases(the_stage text, batch jsonb)
returns table (
  outcome text,
  purchase_id uuid,
  is_first boolean,
  stage_reserved numeric,
  stage_sold numeric,
  stage_token_price numeric
)
language plpgsql
-- The plans are made while the tables are still empty and then kept: without this they would read
-- whole tables, which is right for an empty one and hundreds of times too slow a day later.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  is_sale_paused boolean;
  counter stage_counters;
  room numeric;
  -- What is neither sold nor paid for.
  unpaid_room numeric;
  taken numeric := 0;
  request record;
  outcomes text[] := '{}';
  ids uuid[] := '{}';
  firsts boolean[] := '{}';
  verdict text;
  wanted numeric;
  -- Unpaid dollars by connection, this batch's included.
  connections jsonb := '{}';
  connection_usd numeric;
begin
  select sale.is_paused into strict is_sale_paused from sale for no key update;
  select * into strict counter from stage_counters where stage_id = the_stage for no key update;
  room := counter.supply - counter.reserved - counter.sold;
  unpaid_room := room + counter.unpaid;

  for request in
    select
      element.id, element.request_fingerprint, element.token_price, element.reserved,
      element.usd, element.open_max, element.first_bonus_tokens,
      element.user_worth_max, element.connection_worth_max, element.connection_hash,
      element.unpaid_share, element.share_min,
      known.id as known_id, known.request_fingerprint as known_fingerprint,
      first.status is null or first.status in ('expired', 'failed') as is_first,
      unpaid.open_count, unpaid.usd as open_usd, unpaid.tokens as open_tokens, unpaid.lapses,
      -- From the third lapse on the next purchase waits, longer with each and a day at most.
      unpaid.lapses >= 3 and element.created_at < unpaid.lapsed_at + least(
        (element.expires_at - element.created_at) * (unpaid.lapses - 2), interval '1 day'
      ) as has_to_wait
    from rows from (
      jsonb_to_recordset(batch) as (
        id uuid, user_id uuid, idempotency_key text, request_fingerprint text,
        usd numeric, token_price numeric, reserved numeric, first_bonus_tokens numeric,
        open_max integer, user_worth_max numeric, connection_worth_max numeric,
        connection_hash text, unpaid_share numeric, share_min numeric,
        created_at timestamptz, expires_at timestamptz
      )
    ) with ordinality as element (
      id, user_id, idempotency_key, request_fingerprint,
      usd, token_price, reserved, first_bonus_tokens,
      open_max, user_worth_max, connection_worth_max, connection_hash, unpaid_share, share_min,
      created_at, expires_at, place
    )
    left join purchases as known
      on known.user_id = element.user_id and known.idempotency_key = element.idempotency_key
    left join first_purchases on first_purchases.user_id = element.user_id
    left join purchases as first on first.id = first_purchases.purchase_id
    cross join lateral unpaid_of_user(element.user_id, the_stage) as unpaid
    order by element.place
  loop
    wanted := request.reserved
      + case when request.is_first then coalesce(request.first_bonus_tokens, 0) else 0 end;
    connection_usd := 0;
    if request.connection_hash is not null and request.connection_worth_max is not null then
      connection_usd := connections -> request.connection_hash;
      if connection_usd is null then
        select usd into strict connection_usd
          from unpaid_of_connection(decode(request.connection_hash, 'hex'));
      end if;
    end if;
    verdict := case
      when request.known_fingerprint = request.request_fingerprint then 'repeated'
      when request.known_id is not null then 'key_reused'
      when is_sale_paused then 'paused'
      when counter.sold = counter.supply then 'market_moved'
      when request.token_price <> counter.token_price then 'market_moved'
      when request.open_count >= greatest(1, request.open_max >> least(request.lapses, 10)::integer)
        then 'too_many_open'
      when request.has_to_wait then 'lapsed'
      when wanted > room - taken then 'no_room'
      when request.open_usd + request.usd > request.user_worth_max then 'user_worth'
      when connection_usd + request.usd > request.connection_worth_max then 'connection_worth'
      -- Whoever is the only one may have all that is left: a small sale has to end as well.
      when counter.unpaid + taken > request.open_tokens
        and (counter.unpaid + taken + wanted) * 1000000 > unpaid_room * request.unpaid_share
        and counter.unpaid + taken + wanted > coalesce(request.share_min, 0)
        then 'unpaid_share'
      else 'created'
    end;
    if verdict = 'created' then
      taken := taken + wanted;
      if request.connection_hash is not null then
        connections := connections
          || jsonb_build_object(request.connection_hash, connection_usd + request.usd);
      end if;
    end if;
    outcomes := outcomes || verdict;
    ids := ids || coalesce(request.known_id, request.id);
    firsts := firsts || request.is_first;
  end loop;

  -- Not "taken > 0": whoever is told that a purchase was created must find it in the table.
  if 'created' = any (outcomes) then
    perform book_purchases(the_stage, batch, outcomes, firsts);
    update stage_counters
      set reserved = counter.reserved + taken, unpaid = counter.unpaid + taken
      where stage_id = the_stage;
  end if;

  return query
    select each.outcome, each.id, each.is_first,
      (counter.reserved + taken)::numeric, counter.sold::numeric, counter.token_price::numeric
    from unnest(outcomes, ids, firsts) with ordinality as each (outcome, id, is_first, place)
    order by each.place;
end
$$;

-- Writes what belongs to each purchase that was found to have room: the second half of
-- create_purchases, which holds the locks. Two purchases of one user in a batch would each be
-- judged without the other; there the primary key of first_purchases refuses the whole batch.
-- It is the one of 0007 with the connection.
create or replace function book_purchases(
  the_stage text, batch jsonb, outcomes text[], firsts boolean[]
) returns void language plpgsql as $$
declare
  told bigint;
begin
  with element as materialized (
    select *
    from rows from (
      jsonb_to_recordset(batch) as (
        id uuid, user_id uuid, idempotency_key text, request_fingerprint text,
        payment_token_id text, rail text, chain text, address text, payment_id text,
        derivation_index bigint, usd numeric, token_price numeric, token_decimals integer,
        crypto_price numeric, crypto_decimals integer, crypto_due numeric, reserved numeric,
        price_sources jsonb, first_bonus_rate text, first_bonus_tokens numeric, locked_bonuses jsonb,
        min_usd numeric, max_usd numeric, required_confirmations integer,
        connection_hash text, created_at timestamptz, expires_at timestamptz
      )
    ) with ordinality as each (
      id, user_id, idempotency_key, request_fingerprint,
      payment_token_id, rail, chain, address, payment_id,
      derivation_index, usd, token_price, token_decimals,
      crypto_price, crypto_decimals, crypto_due, reserved,
      price_sources, first_bonus_rate, first_bonus_tokens, locked_bonuses,
      min_usd, max_usd, required_confirmations,
      connection_hash, created_at, expires_at, place
    )
    where outcomes[each.place] = 'created'
  ),
  made as (
    insert into purchases (
      id, user_id, idempotency_key, request_fingerprint, stage_id, payment_token_id,
      rail, chain, address, payment_id, derivation_index,
      usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
      price_sources, reserved, locked_bonuses, min_usd, max_usd, required_confirmations,
      connection_hash, created_at, expires_at, status, held, reservation_left, due
    )
    select
      id, user_id, idempotency_key, request_fingerprint, the_stage, payment_token_id,
      rail, chain, address, payment_id, derivation_index,
      usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
      coalesce(price_sources, '[]'), reserved + first_tokens, first_bonuses, min_usd, max_usd, required_confirmations,
      decode(connection_hash, 'hex'), created_at, expires_at, 'pending', reserved + first_tokens,
      reserved + first_tokens, crypto_due
    from element, lateral (
      select
        case when firsts[place] then coalesce(first_bonus_tokens, 0) else 0 end as first_tokens,
        case
          when firsts[place] and first_bonus_rate is not null then
            jsonb_set(locked_bonuses, '{flat,first_purchase_bonus}', to_jsonb(first_bonus_rate))
          else locked_bonuses
        end as first_bonuses
    ) as first
    returning id, user_id, created_at, held
  ),
  claimed as (
    insert into first_purchases (user_id, purchase_id)
    select user_id, id from element where firsts[place]
    on conflict (user_id) do update set purchase_id = excluded.purchase_id
  ),
  remembered as (
    insert into purchase_status_history (purchase_id, status, at)
    select id, 'pending', created_at from made
  ),
  held as (
    insert into ledger_transfers (cause_id, source, destination, asset, amount, at)
    select
      id, 'stage:' || the_stage || ':available', 'stage:' || the_stage || ':reserved',
      'token', made.held, created_at
    from made
  ),
  mailed as (
    insert into outbox_mails (user_id, kind, params, unique_key, created_at)
    select
      user_id, 'purchase_created', jsonb_build_object('purchase_id', id),
      'purchase_created:' || id, created_at
    from made
  )
  -- A payload has less than 8,000 bytes, which is 50 changes.
  select count(pg_notify('live', changes::text)) into told
  from (
    select json_agg(
      json_build_object('kind', 'purchase', 'userId', user_id, 'transactionId', id)
    ) as changes
    from (select made.*, row_number() over () as place from made) as numbered
    group by place / 50
  ) as bundle;
end
$$;
