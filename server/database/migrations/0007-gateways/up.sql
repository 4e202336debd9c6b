-- Which feeds a price was agreed on from, each with its own price and time; kept with each purchase.
alter table prices add column sources jsonb not null default '[]';
alter table purchases add column price_sources jsonb not null default '[]';

-- How far each gateway's deposits have been told of. Every change gets the next revision under the
-- lock of its row, so that whoever knows all up to one misses none later.
create table gateways (
  name text primary key,
  revision bigint not null
);

-- Every payment that was asked of a gateway, written before it is asked, and the further ones that
-- a gateway made of deposits to the same address.
create table gateway_payments (
  id bigint generated always as identity primary key,
  gateway text not null,
  -- No foreign key: a payment is asked for before its purchase is booked.
  purchase_id uuid not null,
  payment_token_id text not null,
  -- True for the one that was asked for; its address is the purchase's.
  is_own boolean not null,
  -- Null until the gateway has answered, and for ever where its answer was lost.
  payment_id text,
  address text,
  created_at timestamptz not null,
  -- The gateway's word on it is known up to here.
  asked_at timestamptz,
  -- Null where there is nothing to ask about, or no more.
  ask_next_at timestamptz,
  -- The gateway's last word, for people.
  said text,
  unique (gateway, payment_id)
);

create unique index gateway_payments_own on gateway_payments (purchase_id) where is_own;
create unique index gateway_payments_by_address on gateway_payments (address)
  where is_own and address is not null;
create index gateway_payments_by_purchase on gateway_payments (purchase_id);
create index gateway_payments_due on gateway_payments (gateway, ask_next_at)
  where ask_next_at is not null;

-- What a gateway said it received, as last asked.
create table gateway_deposits (
  gateway text not null,
  transaction_hash text not null,
  output_index integer not null,
  gateway_payment_id bigint not null references gateway_payments (id),
  -- Null where the asset is none of the sale's payment tokens.
  payment_token_id text,
  amount base_units not null,
  is_confirmed boolean not null,
  is_gone boolean not null default false,
  sent_at timestamptz not null,
  revision bigint not null,
  primary key (gateway, transaction_hash, output_index)
);

create index gateway_deposits_by_revision on gateway_deposits (gateway, revision);
create index gateway_deposits_by_payment on gateway_deposits (gateway_payment_id);

-- Each webhook call whose signature was right, once.
create table gateway_events (
  gateway text not null,
  event_id text not null,
  received_at timestamptz not null,
  body text not null,
  primary key (gateway, event_id)
);

create index gateway_events_by_time on gateway_events (received_at);

-- Writes what belongs to each purchase that was found to have room: the second half of
-- create_purchases, which holds the locks. Two purchases of one user in a batch would each be
-- judged without the other; there the primary key of first_purchases refuses the whole batch.
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
        created_at timestamptz, expires_at timestamptz
      )
    ) with ordinality as each (
      id, user_id, idempotency_key, request_fingerprint,
      payment_token_id, rail, chain, address, payment_id,
      derivation_index, usd, token_price, token_decimals,
      crypto_price, crypto_decimals, crypto_due, reserved,
      price_sources, first_bonus_rate, first_bonus_tokens, locked_bonuses,
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
      price_sources, reserved, locked_bonuses, min_usd, max_usd, required_confirmations,
      created_at, expires_at, status, held, reservation_left, due
    )
    select
      id, user_id, idempotency_key, request_fingerprint, the_stage, payment_token_id,
      rail, chain, address, payment_id, derivation_index,
      usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
      coalesce(price_sources, '[]'), reserved + first_tokens, first_bonuses, min_usd, max_usd, required_confirmations,
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
