-- Every amount of money and every price: an integer in its base unit. NaN compares greater than any
-- number in PostgreSQL, so that a bare "> 0" would let it in.
create domain base_units as numeric(78, 0)
  constraint base_units_are_natural check (value <> 'NaN' and value >= 0);

-- The one sale. Its row is locked by whoever makes purchases or applies the sale file.
create table sale (
  id smallint primary key default 1 check (id = 1),
  -- What durations in the sale file are counted from.
  first_applied_at timestamptz not null,
  is_paused boolean not null default false,
  -- The sale file as it was applied last, to tell what the next one changes.
  applied jsonb not null,
  applied_at timestamptz not null
);

create table stages (
  id text primary key,
  position integer not null unique check (position > 0),
  name text not null,
  type text not null check (type in ('fixed', 'dynamic')),
  token_price base_units not null check (token_price > 0),
  final_token_price base_units not null check (final_token_price > 0),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at)
);

-- How far each stage has come. It is a table of its own without foreign keys to it, because every
-- purchase locks and changes this one row; the low fill factor leaves room to change it in place.
create table stage_counters (
  stage_id text primary key,
  supply base_units not null,
  reserved base_units not null default 0,
  sold base_units not null default 0,
  -- What a token costs now. Purchases that were quoted another price are quoted again.
  token_price base_units not null check (token_price > 0),
  constraint never_oversold check (reserved + sold <= supply)
) with (fillfactor = 10);

create table purchases (
  id uuid primary key,
  user_id uuid not null references users (id),
  idempotency_key text check (length(idempotency_key) between 1 and 200),
  request_fingerprint text not null,

  -- The terms: written once, never changed.
  stage_id text not null,
  payment_token_id text not null,
  rail text not null,
  chain text not null,
  -- An address is given to one purchase, for ever; so is the index it is derived from.
  address text not null unique,
  payment_id text not null,
  derivation_index bigint check (derivation_index >= 0),
  usd base_units not null check (usd > 0),
  token_price base_units not null check (token_price > 0),
  token_decimals integer not null,
  crypto_price base_units not null check (crypto_price > 0),
  crypto_decimals integer not null,
  crypto_due base_units not null check (crypto_due > 0),
  reserved base_units not null check (reserved > 0),
  locked_bonuses jsonb not null,
  min_usd base_units not null,
  max_usd base_units,
  required_confirmations integer not null check (required_confirmations > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),

  -- What a gateway's own interface said, when it was asked.
  has_gateway_failed boolean not null default false,

  -- The outcome: derived from the facts, written by settling alone.
  status text not null
    check (status in ('pending', 'processing', 'completed', 'expired', 'failed')),
  status_reason text
    check (status_reason in ('underpaid', 'overpaid', 'late', 'wrong_asset', 'reorged', 'held')),
  held base_units not null,
  -- What of the reservation was never given back to the stage.
  reservation_left base_units not null,
  due base_units not null,
  confirmations integer not null default 0,
  credited_usd base_units not null default 0,
  credited_crypto base_units not null default 0,
  credited_base base_units not null default 0,
  credited_bonuses jsonb not null default '{}',
  allocations jsonb not null default '[]',
  completed_at timestamptz,

  unique (user_id, idempotency_key),
  unique (rail, derivation_index)
);

create index purchases_by_user on purchases (user_id, created_at, id);
create index purchases_open on purchases (user_id) where status = 'pending';
-- The second condition keeps this index from being taken for the one above.
create index purchases_expiring on purchases (expires_at)
  where status = 'pending' and completed_at is null;

-- Which purchase is the user's first one, the holder of the bonus for it. A later purchase takes
-- its place once it has expired or failed.
create table first_purchases (
  user_id uuid primary key,
  purchase_id uuid not null
);

create table purchase_status_history (
  id bigint generated always as identity primary key,
  purchase_id uuid not null,
  status text not null,
  status_reason text,
  at timestamptz not null
);

create index purchase_status_history_by_purchase on purchase_status_history (purchase_id, id);

-- How far each chain has been read.
create table chains (
  name text primary key,
  cursor text not null,
  height bigint not null check (height >= 0),
  read_through timestamptz not null
);

-- Every transfer that reached one of our addresses, whatever became of it.
create table receipts (
  id uuid primary key,
  purchase_id uuid not null references purchases (id),
  chain text not null,
  transaction_hash text not null,
  output_index integer not null check (output_index >= 0),
  -- Null where the asset is none of the sale's payment tokens.
  payment_token_id text,
  amount base_units not null,
  block_height bigint,
  is_gone boolean not null default false,
  confirmations integer not null default 0 check (confirmations >= 0),
  required_confirmations integer not null,
  was_confirmed boolean not null default false,
  -- What the ledger holds of it.
  booked base_units not null default 0,
  seen_at timestamptz not null,
  -- The market when the receipt was first seen: what a late or too large payment may buy at.
  market_stage_id text,
  market_token_price base_units,
  market_crypto_price base_units,
  unique (chain, transaction_hash, output_index),
  check ((market_stage_id is null) = (market_token_price is null)),
  check ((market_stage_id is null) = (market_crypto_price is null))
);

create index receipts_by_purchase on receipts (purchase_id);
create index receipts_unconfirmed on receipts (chain)
  where not is_gone and confirmations < required_confirmations;

-- Tokens that a stage gave beyond a reservation, once for each receipt, as settling last left it.
create table grants (
  receipt_id uuid primary key references receipts (id),
  purchase_id uuid not null references purchases (id),
  stage_id text not null,
  tokens base_units not null,
  -- The stage had no more to give.
  is_short boolean not null
);

create index grants_by_purchase on grants (purchase_id);

create table operator_marks (
  id bigint generated always as identity primary key,
  purchase_id uuid not null references purchases (id),
  kind text not null check (kind in ('failed', 'held', 'released')),
  at timestamptz not null
);

create index operator_marks_by_purchase on operator_marks (purchase_id, id);

-- What is owed back to buyers, as settling last found it.
create table refunds_due (
  receipt_id uuid primary key references receipts (id),
  purchase_id uuid not null references purchases (id),
  amount base_units not null check (amount > 0),
  why text not null check (why in ('underpaid', 'overpaid', 'late', 'wrong_asset', 'failed'))
);

create index refunds_due_by_purchase on refunds_due (purchase_id);

-- Purchases that have new facts. A row is written together with the fact, and taken by settling.
create table settlements_due (
  purchase_id uuid primary key
);

-- One reward for a referred user, for ever. When the purchases that earned it are undone it
-- fails, and the same row completes again when they return.
create table rewards (
  id uuid primary key,
  referee_id uuid not null unique references users (id),
  referrer_id uuid not null references users (id),
  stage_id text not null,
  token_price base_units not null check (token_price > 0),
  usd base_units not null,
  -- What the referred user had to spend for it, as it was then.
  spend_usd base_units not null,
  tokens base_units not null,
  status text not null check (status in ('completed', 'failed')),
  created_at timestamptz not null,
  completed_at timestamptz not null
);

create index rewards_by_referrer on rewards (referrer_id, created_at, id);

-- The double-entry record of all tokens and of all money received. Every row moves an amount from
-- one account to another, so that it balances by itself; a balance is what came in less what went
-- out.
create table ledger_transfers (
  id bigint generated always as identity primary key,
  -- The purchase or reward that moved it; null for a stage's supply.
  cause_id uuid,
  -- The buyer whose account is one of the two; null where neither is a buyer's.
  user_id uuid references users (id),
  source text not null,
  destination text not null check (destination <> source),
  -- 'token', or the id of a payment token.
  asset text not null,
  amount base_units not null check (amount > 0),
  at timestamptz not null
);

create index ledger_transfers_by_user on ledger_transfers (user_id) where user_id is not null;

create table prices (
  symbol text primary key,
  price base_units not null check (price > 0),
  fetched_at timestamptz not null
);

-- Each change of the token's price, for the chart.
create table price_points (
  id bigint generated always as identity primary key,
  stage_id text not null,
  price base_units not null check (price > 0),
  at timestamptz not null
);

create index price_points_by_time on price_points (at, id);

-- Whose turn it was: work that must happen once is done by whoever takes the next turn.
create table turns (
  name text primary key,
  next_at timestamptz not null
);

-- The simulated chain of a sandbox. Each change gets the next revision under the lock of this row.
create table sandbox_chain (
  id smallint primary key default 1 check (id = 1),
  height bigint not null check (height >= 0),
  revision bigint not null,
  mined_at timestamptz not null
);

create table sandbox_transfers (
  transaction_hash text primary key,
  address text not null,
  payment_token_id text,
  amount base_units not null check (amount > 0),
  -- Null while it waits for a block.
  block_height bigint,
  is_gone boolean not null default false,
  sent_at timestamptz not null,
  revision bigint not null
);

create index sandbox_transfers_by_revision on sandbox_transfers (revision);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct it by a new row', tg_table_name;
end
$$;

create trigger append_only before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on purchase_status_history
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on operator_marks
  for each statement execute function refuse_change();
