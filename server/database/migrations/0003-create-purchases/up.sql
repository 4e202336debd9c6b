-- Makes all purchases of a batch that there is room for, in the batch's order, in one statement.
--
-- The batch is an array of objects: the columns of a purchase, and besides
--   open_max             how many unpaid purchases a user may have
--   first_bonus_rate     the percentage for a first purchase; null where the stage has none
--   first_bonus_tokens   the tokens that it is worth, to be held beside `reserved`
--
-- Each element has its own outcome, so that one bad purchase never fails its neighbours:
--   created, repeated (the key was used for this same purchase), key_reused (for another one),
--   paused, market_moved (the stage is over or its price is another one), too_many_open, no_room.
--
-- The sale's row is locked first and the stage's counter next. From then on every earlier purchase
-- is visible and no other can be made, so that the counts below hold until the end.
create function create_purchases(the_stage text, batch jsonb)
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
  taken numeric := 0;
  request record;
  outcomes text[] := '{}';
  ids uuid[] := '{}';
  firsts boolean[] := '{}';
  verdict text;
  wanted numeric;
begin
  select sale.is_paused into strict is_sale_paused from sale for no key update;
  select * into strict counter from stage_counters where stage_id = the_stage for no key update;
  room := counter.supply - counter.reserved - counter.sold;

  for request in
    select
      element.id, element.request_fingerprint, element.token_price, element.reserved,
      element.open_max, element.first_bonus_tokens,
      known.id as known_id, known.request_fingerprint as known_fingerprint,
      first.status is null or first.status in ('expired', 'failed') as is_first,
      (
        select count(*) from (
          select from purchases
          where user_id = element.user_id and status = 'pending' limit element.open_max
        ) as open
      ) as open_count
    from rows from (
      jsonb_to_recordset(batch) as (
        id uuid, user_id uuid, idempotency_key text, request_fingerprint text,
        token_price numeric, reserved numeric, open_max integer, first_bonus_tokens numeric
      )
    ) with ordinality as element (
      id, user_id, idempotency_key, request_fingerprint,
      token_price, reserved, open_max, first_bonus_tokens, place
    )
    left join purchases as known
      on known.user_id = element.user_id and known.idempotency_key = element.idempotency_key
    left join first_purchases on first_purchases.user_id = element.user_id
    left join purchases as first on first.id = first_purchases.purchase_id
    order by element.place
  loop
    wanted := request.reserved
      + case when request.is_first then coalesce(request.first_bonus_tokens, 0) else 0 end;
    verdict := case
      when request.known_fingerprint = request.request_fingerprint then 'repeated'
      when request.known_id is not null then 'key_reused'
      when is_sale_paused then 'paused'
      when counter.sold = counter.supply then 'market_moved'
      when request.token_price <> counter.token_price then 'market_moved'
      when request.open_count >= request.open_max then 'too_many_open'
      when wanted > room - taken then 'no_room'
      else 'created'
    end;
    if verdict = 'created' then
      taken := taken + wanted;
    end if;
    outcomes := outcomes || verdict;
    ids := ids || coalesce(request.known_id, request.id);
    firsts := firsts || request.is_first;
  end loop;

  -- Not "taken > 0": whoever is told that a purchase was created must find it in the table.
  if 'created' = any (outcomes) then
    perform book_purchases(the_stage, batch, outcomes, firsts);
    update stage_counters set reserved = counter.reserved + taken where stage_id = the_stage;
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
create function book_purchases(
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
        first_bonus_rate text, first_bonus_tokens numeric, locked_bonuses jsonb,
        min_usd numeric, max_usd numeric, required_confirmations integer,
        created_at timestamptz, expires_at timestamptz
      )
    ) with ordinality as each (
      id, user_id, idempotency_key, request_fingerprint,
      payment_token_id, rail, chain, address, payment_id,
      derivation_index, usd, token_price, token_decimals,
      crypto_price, crypto_decimals, crypto_due, reserved,
      first_bonus_rate, first_bonus_tokens, locked_bonuses,
      min_usd, max_usd, required_confirmations,
      created_at, expires_at, place
    )
    where outcomes[each.place] = 'created'
  ),
  made as (
    insert into purchases (
      id, user_id, idempotency_key, request_fingerprint, stage_id, payment_token_id,
      rail, chain, address, payment_id, derivation_index,
      usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
      reserved, locked_bonuses, min_usd, max_usd, required_confirmations,
      created_at, expires_at, status, held, reservation_left, due
    )
    select
      id, user_id, idempotency_key, request_fingerprint, the_stage, payment_token_id,
      rail, chain, address, payment_id, derivation_index,
      usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
      reserved + first_tokens, first_bonuses, min_usd, max_usd, required_confirmations,
      created_at, expires_at, 'pending', reserved + first_tokens,
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
