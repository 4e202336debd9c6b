create table users (
  id uuid primary key,
  -- Normalised by normalizeEmail, so that two spellings are one account.
  email text not null unique check (email = lower(email) and length(email) <= 254),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  nationality text not null check (nationality ~ '^[A-Z]{2}$'),
  mobile text,
  -- Of the mails.
  language text not null default 'en' check (language in ('en', 'de')),
  is_email_verified boolean not null default false,
  requires_password_change boolean not null default false,
  referrer_id uuid references users (id) check (referrer_id <> id),
  created_at timestamptz not null,
  erased_at timestamptz
);

create index users_by_referrer on users (referrer_id) where referrer_id is not null;

-- Tokens are derived from the session's id, generation and salt with the server's secret; only
-- hashes stand here, so that neither this table nor the secret alone opens a session.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  salt bytea not null,
  -- Counts the refreshes; a refresh token of an earlier generation was used before.
  generation integer not null default 0 check (generation >= 0),
  access_token_hash bytea not null unique,
  access_expires_at timestamptz not null,
  refresh_token_hash bytea not null unique,
  refresh_expires_at timestamptz not null,
  refreshed_at timestamptz,
  -- When the token before the last used one was used: three tabs may race as well as two.
  previously_refreshed_at timestamptz,
  started_at timestamptz not null,
  last_used_at timestamptz not null,
  user_agent text not null,
  -- Where it was last refreshed from, as its user is shown it.
  address text,
  ended_at timestamptz
);

create index sessions_by_user on sessions (user_id) where ended_at is null;

-- Links that were mailed: single use, and only the newest of a purpose counts.
create table mailed_links (
  id uuid primary key,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was used, or made void by a newer one.
  closed_at timestamptz
);

create index mailed_links_open on mailed_links (user_id, purpose) where closed_at is null;

-- Two-factor login: one authenticator app for a user, on once it is confirmed.
create table two_factors (
  user_id uuid primary key references users (id),
  -- Encrypted with a key made from the server's secret, bound to the user's id.
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: a code works once, and no older one after it.
  last_step bigint not null default -1
);

create table recovery_codes (
  user_id uuid not null references two_factors (user_id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Where a user has logged in before. Both are keyed hashes: of the network, and of network and
-- device together.
create table login_places (
  user_id uuid not null references users (id),
  place_hash bytea not null,
  network_hash bytea not null,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, place_hash)
);

create index login_places_by_network on login_places (user_id, network_hash);

-- Mails to send, written together with the change they tell of and rendered when they are sent.
create table outbox_mails (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  kind text not null,
  params jsonb not null default '{}',
  -- Names the event that is told; telling it again does nothing.
  unique_key text unique,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Null: at once.
  next_attempt_at timestamptz,
  -- While an instance is sending it, until when no other may.
  claimed_until timestamptz,
  -- Which taking of it that is. Whoever took it marks and renews it by this alone, so that one that
  -- was overtaken notices.
  claimed_by uuid,
  sent_at timestamptz,
  -- Given up: it came to nothing for days, or had nothing left to say.
  dropped_at timestamptz,
  last_fault text,
  -- What was sent, kept by a sandbox alone: it is the sandbox's mailbox.
  recipient text,
  subject text,
  body_text text,
  body_html text,

  constraint outbox_mails_claim_has_owner check (claimed_until is null or claimed_by is not null)
);

create index outbox_mails_unsent on outbox_mails (id) where sent_at is null and dropped_at is null;
create index outbox_mails_by_recipient on outbox_mails (recipient, id) where recipient is not null;

-- The columns are those that rate-limiter-flexible writes.
create table rate_limits (
  key text primary key,
  points integer not null,
  -- Milliseconds since 1970.
  expire bigint
);

create index rate_limits_by_expiry on rate_limits (expire);

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
  -- Why and since when; both null while it is not, or where somebody paused it by hand and gave no
  -- reason.
  pause_reason text,
  paused_at timestamptz,
  -- Breaches that an operator has resumed the sale in spite of: they do not pause it again.
  accepted_breaches jsonb not null default '[]',
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
  -- What of `reserved` nobody has paid for. It is counted, since adding it up at each booking would
  -- grow with the crowd.
  unpaid base_units not null default 0,
  -- What a token costs now. Purchases that were quoted another price are quoted again.
  token_price base_units not null check (token_price > 0),
  -- When all of it was first sold. A stage that sells out before its end opens the next one at once,
  -- for good; one that sells out after it, by a late settlement, opens nothing.
  sold_out_at timestamptz,
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
  -- An address is given to one purchase, for ever.
  address text not null unique,
  payment_id text not null,
  derivation_index bigint check (derivation_index >= 0),
  usd base_units not null check (usd > 0),
  token_price base_units not null check (token_price > 0),
  token_decimals integer not null,
  crypto_price base_units not null check (crypto_price > 0),
  -- Which feeds it was agreed on from, each with its own price and time.
  price_sources jsonb not null default '[]',
  crypto_decimals integer not null,
  crypto_due base_units not null check (crypto_due > 0),
  reserved base_units not null check (reserved > 0),
  locked_bonuses jsonb not null,
  min_usd base_units not null,
  max_usd base_units,
  required_confirmations integer not null check (required_confirmations > 0),
  -- The day of the version of the terms of service that it was made under, as it is shown.
  terms_date text not null check (terms_date ~ '^\d{4}-\d\d-\d\d$'),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),

  -- Where it was made from: a keyed hash of the network, never an address, and only as long as the
  -- purchase waits for its payment. Null where that is not known.
  connection_hash bytea,

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

  unique (user_id, idempotency_key)
);

create index purchases_by_user on purchases (user_id, created_at, id);
create index purchases_open on purchases (user_id) where status = 'pending';
-- The second condition keeps this index from being taken for the one above.
create index purchases_expiring on purchases (expires_at)
  where status = 'pending' and completed_at is null;
-- A purchase that waits for confirmations is looked at again as its time ends.
create index purchases_expiring_processing on purchases (expires_at)
  where status = 'processing' and completed_at is null;
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
  -- What of it the last settlement of its purchase has taken into account: null where that found it
  -- gone, or there was no settlement since it came.
  settled_amount base_units,
  settled_confirmations integer check (settled_confirmations >= 0),
  unique (chain, transaction_hash, output_index),
  check ((market_stage_id is null) = (market_token_price is null)),
  check ((market_stage_id is null) = (market_crypto_price is null)),
  check ((settled_amount is null) = (settled_confirmations is null))
);

create index receipts_by_purchase on receipts (purchase_id);
create index receipts_unconfirmed on receipts (chain)
  where not is_gone and confirmations < required_confirmations;
-- What a reorganisation may have taken away.
create index receipts_by_height on receipts (chain, block_height) where not is_gone;

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
  at timestamptz not null,
  -- Null where it was written by hand.
  reason text check (length(reason) between 1 and 500)
);

create index operator_marks_by_purchase on operator_marks (purchase_id, id);

-- What is owed back to buyers, as settling last found it.
create table refunds_due (
  receipt_id uuid primary key references receipts (id),
  purchase_id uuid not null references purchases (id),
  amount base_units not null check (amount > 0),
  why text not null check (why in ('underpaid', 'overpaid', 'late', 'wrong_asset', 'failed')),
  -- Since when: settling writes the list anew and keeps this.
  since timestamptz not null
);

create index refunds_due_by_purchase on refunds_due (purchase_id);
create index refunds_due_by_since on refunds_due (since, receipt_id);

-- What was paid back, as an operator told. Money of a receipt that stands here buys nothing any
-- more and is never owed again, whatever settling derives.
create table refund_payments (
  id bigint generated always as identity primary key,
  receipt_id uuid not null references receipts (id),
  purchase_id uuid not null references purchases (id),
  amount base_units not null check (amount > 0),
  -- Why it was owed, and since when.
  why text not null check (why in ('underpaid', 'overpaid', 'late', 'wrong_asset', 'failed')),
  owed_since timestamptz not null,
  -- The transaction that paid it back.
  chain text not null,
  transaction_hash text not null check (length(transaction_hash) between 1 and 128),
  -- Counts the refunds of one transaction: another one than the first has to be meant.
  place integer not null check (place >= 0),
  paid_at timestamptz not null,
  unique (chain, transaction_hash, place)
);

create index refund_payments_by_receipt on refund_payments (receipt_id);
create index refund_payments_by_purchase on refund_payments (purchase_id);
create index refund_payments_by_since on refund_payments (owed_since, receipt_id);

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

-- What operators did, written in the transaction that did it.
create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Who, by their own word; null where a call did not say.
  operator text check (length(operator) between 1 and 100),
  -- Where the call came from.
  address text not null,
  -- The name of the call.
  act text not null,
  -- What it was about, where it was about one.
  purchase_id uuid references purchases (id),
  user_id uuid references users (id),
  details jsonb not null default '{}'
);

create index operator_actions_by_purchase on operator_actions (purchase_id)
  where purchase_id is not null;
create index operator_actions_by_user on operator_actions (user_id) where user_id is not null;

create table prices (
  symbol text primary key,
  price base_units not null check (price > 0),
  fetched_at timestamptz not null,
  -- Which feeds it was agreed on from, each with its own price and time.
  sources jsonb not null default '[]'
);

-- Each change of the token's price, for the chart.
create table price_points (
  id bigint generated always as identity primary key,
  stage_id text not null,
  price base_units not null check (price > 0),
  at timestamptz not null
);

create index price_points_by_time on price_points (at, id);
-- The lowest and the highest price of each six hours, without reading the points between them.
create index price_points_by_span on price_points
  (date_bin('6 hours', at, '1970-01-01 00:00:00+00'::timestamptz), price, at, id);

-- Work that must happen once is done by whichever instance has the lease of it.
create table leases (
  name text primary key,
  ends_at timestamptz not null
);

-- What the last check of the invariants found.
create table invariant_checks (
  id smallint primary key default 1 check (id = 1),
  checked_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  breaches jsonb not null,
  not_run jsonb not null
);

-- The extended public keys that addresses were ever derived from. A key that replaces another of
-- its name has an index of its own; the addresses of the former one stay watched.
create table derivation_keys (
  -- The setting that gives the key, such as EVM_XPUB.
  name text not null,
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{16}$'),
  is_current boolean not null,
  -- The lowest index that was never used. Non-hardened indexes end at 2^31.
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  pinned_at timestamptz not null,
  primary key (name, fingerprint)
);

create unique index derivation_keys_current on derivation_keys (name) where is_current;

-- Every address that was ever derived, written before anybody sees it.
create table derived_addresses (
  -- Given under the lock of the key's row, so that whoever knows all up to one misses none later.
  id bigint generated always as identity primary key,
  key_name text not null,
  fingerprint text not null,
  derivation_index bigint not null check (derivation_index >= 0),
  -- What it was meant to be paid on.
  chain text not null,
  address text not null unique,
  taken_at timestamptz not null,
  unique (key_name, fingerprint, derivation_index),
  foreign key (key_name, fingerprint) references derivation_keys (name, fingerprint)
);

create index derived_addresses_by_key on derived_addresses (key_name, id);
create index derived_addresses_by_chain on derived_addresses (chain, taken_at);

create function keep_index_growing() returns trigger language plpgsql as $$
begin
  if new.next_index < old.next_index then
    raise exception 'An index of % that was used once is never used again', old.name;
  end if;
  return new;
end
$$;

create trigger index_grows before update on derivation_keys
  for each row execute function keep_index_growing();

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
create trigger append_only before update or delete or truncate on derived_addresses
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on refund_payments
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on operator_actions
  for each statement execute function refuse_change();

-- Nobody reserves what they show no sign of paying. What counts as unpaid of a purchase is the part
-- of it that is still due while it waits for its payment: a part payment frees its part alone, so
-- that a cent does not pass for a sign of paying a fortune.
create function unpaid_part(amount numeric, due numeric, crypto_due numeric) returns numeric
language sql immutable as $$
  select ceil(amount * due / crypto_due)
$$;

create function forget_connection() returns trigger language plpgsql as $$
begin
  new.connection_hash := null;
  return new;
end
$$;

-- No status but the first needs it, whoever writes that.
create trigger forget_connection before update on purchases
  for each row when (new.connection_hash is not null and new.status <> 'pending')
  execute function forget_connection();

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

-- Makes all purchases of a batch that there is room for, in the batch's order, in one statement.
--
-- The batch is an array of what is to be written, as the tables have it, and what it is judged by:
--   purchase     the row, as it is where this is not the user's first purchase
--   if_first     what differs where it is: the columns in question of `purchase`, and `transfers`
--   status       its entry in the history
--   transfers    those of the ledger
--   mail         what its buyer is told
--   change       what is told live
--   bounds       of what may be reserved and not paid
--
-- Each element has its own outcome, so that one bad purchase never fails its neighbours:
--   created, repeated (the key was used for this same purchase), key_reused (for another one),
--   paused, market_moved (the stage is over or its price is another one), too_many_open, no_room,
--   lapsed (so many purchases were not paid that the next one has to wait), user_worth,
--   connection_worth, unpaid_share.
--
-- The sale's row is locked first and the stage's counter next. From then on every earlier purchase
-- is visible and no other can be made, so that what is judged below holds until the end. Two
-- purchases of one user in a batch would each be judged without the other; there the primary key of
-- first_purchases refuses the whole batch.
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
  -- What is neither sold nor paid for.
  unpaid_room numeric;
  taken numeric := 0;
  request record;
  wanted purchases;
  made purchases[] := '{}';
  -- Those of them that are first ones, and what is written beside each.
  first_ids uuid[] := '{}';
  written jsonb[] := '{}';
  outcomes text[] := '{}';
  ids uuid[] := '{}';
  firsts boolean[] := '{}';
  verdict text;
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
      element, purchase, bounds.*,
      known.id as known_id, known.request_fingerprint as known_fingerprint,
      first.status is null or first.status in ('expired', 'failed') as is_first,
      unpaid.open_count, unpaid.usd as open_usd, unpaid.tokens as open_tokens, unpaid.lapses,
      -- From the third lapse on the next purchase waits, longer with each and a day at most.
      unpaid.lapses >= 3 and purchase.created_at < unpaid.lapsed_at + least(
        (purchase.expires_at - purchase.created_at) * (unpaid.lapses - 2), interval '1 day'
      ) as has_to_wait
    from jsonb_array_elements(batch) with ordinality as each (element, place)
    cross join lateral jsonb_populate_record(null::purchases, element -> 'purchase') as purchase
    cross join lateral jsonb_to_record(element -> 'bounds') as bounds (
      -- How many unpaid purchases a user may have; half as many after each lapse.
      open_max integer,
      -- How many unpaid dollars; null where there is no bound.
      user_worth_max numeric,
      connection_worth_max numeric,
      -- How many millionths of what is left of the stage may be unpaid.
      unpaid_share numeric,
      -- How many tokens may be unpaid whatever that share is, so that a last remainder can be
      -- bought beside a small purchase of somebody else.
      share_min numeric
    )
    left join purchases as known
      on known.user_id = purchase.user_id and known.idempotency_key = purchase.idempotency_key
    left join first_purchases on first_purchases.user_id = purchase.user_id
    left join purchases as first on first.id = first_purchases.purchase_id
    cross join lateral unpaid_of_user(purchase.user_id, the_stage) as unpaid
    order by place
  loop
    wanted := request.purchase;
    if request.is_first then
      wanted := jsonb_populate_record(wanted, request.element -> 'if_first' -> 'purchase');
    end if;
    connection_usd := 0;
    if wanted.connection_hash is not null and request.connection_worth_max is not null then
      connection_usd := connections -> wanted.connection_hash::text;
      if connection_usd is null then
        select usd into strict connection_usd from unpaid_of_connection(wanted.connection_hash);
      end if;
    end if;
    verdict := case
      when request.known_fingerprint = wanted.request_fingerprint then 'repeated'
      when request.known_id is not null then 'key_reused'
      when is_sale_paused then 'paused'
      when counter.sold = counter.supply then 'market_moved'
      when wanted.token_price <> counter.token_price then 'market_moved'
      when request.open_count >= greatest(1, request.open_max >> least(request.lapses, 10)::integer)
        then 'too_many_open'
      when request.has_to_wait then 'lapsed'
      when wanted.reserved > room - taken then 'no_room'
      when request.open_usd + wanted.usd > request.user_worth_max then 'user_worth'
      when connection_usd + wanted.usd > request.connection_worth_max then 'connection_worth'
      -- Whoever is the only one may have all that is left: a small sale has to end as well.
      when counter.unpaid + taken > request.open_tokens
        and (counter.unpaid + taken + wanted.reserved) * 1000000 > unpaid_room * request.unpaid_share
        and counter.unpaid + taken + wanted.reserved > coalesce(request.share_min, 0)
        then 'unpaid_share'
      else 'created'
    end;
    if verdict = 'created' then
      made := made || wanted;
      if request.is_first then
        first_ids := first_ids || wanted.id;
        written := written || (request.element || (request.element -> 'if_first'));
      else
        written := written || request.element;
      end if;
      taken := taken + wanted.reserved;
      if wanted.connection_hash is not null then
        connections := connections
          || jsonb_build_object(wanted.connection_hash::text, connection_usd + wanted.usd);
      end if;
    end if;
    outcomes := outcomes || verdict;
    ids := ids || coalesce(request.known_id, wanted.id);
    firsts := firsts || request.is_first;
  end loop;

  -- Not "taken > 0": whoever is told that a purchase was created must find it in the table.
  if 'created' = any (outcomes) then
    insert into purchases select * from unnest(made);
    insert into first_purchases (user_id, purchase_id)
      select user_id, id from unnest(made) where id = any (first_ids)
      on conflict (user_id) do update set purchase_id = excluded.purchase_id;
    insert into purchase_status_history overriding user value
      select entry.* from unnest(written) as element,
        jsonb_populate_record(null::purchase_status_history, element -> 'status') as entry;
    insert into ledger_transfers overriding user value
      select transfer.* from unnest(written) as element,
        jsonb_populate_recordset(null::ledger_transfers, element -> 'transfers') as transfer;
    insert into outbox_mails overriding user value
      select mail.* from unnest(written) as element,
        jsonb_populate_record(null::outbox_mails, element -> 'mail') as mail;
    -- A payload has less than 8,000 bytes, which is 50 changes.
    perform pg_notify('live', jsonb_agg(element -> 'change')::text)
      from unnest(written) with ordinality as each (element, place) group by (place - 1) / 50;
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
