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

-- Purchases, their ledger and mails name users without a foreign key, whose check would lock the user
-- anew for each row of the hottest tables. What it would see to holds by itself: no user ever goes or
-- becomes another one.
create function refuse_loss_of_user() returns trigger language plpgsql as $$
begin
  raise exception 'A user stays for ever: erase what is personal of it';
end
$$;

create trigger users_stay before delete or truncate on users
  for each statement execute function refuse_loss_of_user();
create trigger users_keep_their_ids before update of id on users
  for each row when (new.id <> old.id) execute function refuse_loss_of_user();

create index users_erased on users (id) where erased_at is not null;
create index users_by_referrer on users (referrer_id) where referrer_id is not null;
-- The newest first, as operators look at them.
create index users_by_signup on users (created_at, id) where erased_at is null;

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

create index sessions_by_user on sessions (user_id);

-- Links that were mailed: single use, and only the newest of a purpose counts.
create table mailed_links (
  id uuid primary key,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'cancel_wallet')),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was used, or made void by a newer one.
  closed_at timestamptz
);

create index mailed_links_open on mailed_links (user_id, purpose) where closed_at is null;

-- Authenticator apps of users and of operators: one for each account, on once it is confirmed.
create table two_factors (
  account_id uuid primary key,
  -- Encrypted with a key made from the server's secret, bound to the account's id.
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: a code works once, and no older one after it.
  last_step bigint not null default -1
);

create table recovery_codes (
  account_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
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
  -- A user, without a foreign key: see the triggers of users. Null where it is for an operator, whose
  -- address then stands in recipient.
  user_id uuid,
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
  -- Whether it was dropped because it could not be sent for days: somebody has to look at it.
  is_given_up boolean not null default false,
  last_fault text,
  -- The address, where no user has it. What was sent is kept by a sandbox alone: it is its mailbox.
  recipient text,
  subject text,
  body_text text,
  body_html text,
  -- The lowest leaves first: in a rush there may be thousands. Somebody sits and waits for 0, and 2
  -- is written to many at once, so that it would keep back what warns of a thief.
  priority smallint not null generated always as (
    case
      when kind in ('verify_email', 'reset_password') then 0
      when kind in (
        'wallet_wanted', 'delivery_claimable', 'delivery_delivered', 'delivery_expiring'
      ) then 2
      else 1
    end
  ) stored,

  constraint outbox_mails_claim_has_owner check (claimed_until is null or claimed_by is not null)
);

create function require_user() returns trigger language plpgsql as $$
begin
  if not exists (select from users where users.id = new.user_id) then
    raise foreign_key_violation using message = 'There is no such user: ' || new.user_id;
  end if;
  return new;
end
$$;

-- Of new purchases and their mails, create_purchases knows it already.
create trigger has_user before insert on outbox_mails
  for each row when (new.kind <> 'purchase_created' and new.user_id is not null)
  execute function require_user();
create trigger changes_to_user before update of user_id on outbox_mails
  for each row execute function require_user();

create index outbox_mails_unsent on outbox_mails (priority, id)
  where sent_at is null and dropped_at is null;
create index outbox_mails_given_up on outbox_mails (dropped_at, id) where is_given_up;
create index outbox_mails_by_user on outbox_mails (user_id);
create index outbox_mails_by_recipient on outbox_mails (recipient, id) where recipient is not null;

-- Tries of one rule by one key, until they count no more.
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

-- Every sale file that was applied, in their order. A changed picture beside an unchanged file makes a
-- row as well, so that each id stands for one sale.
create table sale_files (
  id bigint generated always as identity primary key,
  text text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- From the disk at a start; at the console; or at a start from this table, where what is beside the
  -- file on the disk had changed.
  source text not null check (source in ('disk', 'console', 'restart')),
  applied_at timestamptz not null,
  -- Who applied it at the console: the operator or the key, and their name.
  operator_id uuid,
  operator text check (length(operator) between 1 and 100),
  -- What it changed, as objects of part, field, before and after.
  changes jsonb not null
);

create index sale_files_from_disk on sale_files (id) where source = 'disk';

-- The one sale. Its row is locked by whoever makes purchases or applies the sale file.
create table sale (
  id smallint primary key default 1 check (id = 1),
  -- What durations in the sale file are counted from.
  first_applied_at timestamptz not null,
  -- Since when it is paused, and why; both null while it is not.
  paused_at timestamptz,
  pause_reason text,
  -- Breaches that an operator has resumed the sale in spite of: they do not pause it again.
  accepted_breaches jsonb not null default '[]',
  -- When it was closed below its soft cap, so that everything is owed back; it never opens again.
  closed_at timestamptz,
  -- The sale file as it was applied last, to tell what the next one changes.
  applied jsonb not null,
  applied_at timestamptz not null,
  -- Which file that is. Purchases that were quoted by another one are quoted again.
  file_id bigint references sale_files (id),
  check ((paused_at is null) = (pause_reason is null))
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
  -- A user, without a foreign key: see the triggers of users.
  user_id uuid not null,
  idempotency_key text check (length(idempotency_key) between 1 and 200),
  request_fingerprint text not null,

  -- The terms: written once, never changed.
  stage_id text not null,
  payment_token_id text not null,
  rail text not null,
  chain text not null,
  address text not null,
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
  -- Less than this is lost at its gateway; zero where anything arrives.
  rail_min_usd base_units not null default 0,
  max_usd base_units,
  required_confirmations integer not null check (required_confirmations > 0),
  -- The day of the version of the terms of service that it was made under, as it is shown.
  terms_date text not null check (terms_date ~ '^\d{4}-\d\d-\d\d$'),
  -- Until when its buyer may withdraw from it, exclusive; null where they may not.
  withdrawable_until timestamptz check (withdrawable_until > created_at),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  -- Until then a payment that was sent in time may be mined; the reservation is held as long.
  grace_ends_at timestamptz not null check (grace_ends_at >= expires_at),

  -- Where it was made from: a keyed hash of the network, never an address, and only as long as the
  -- purchase waits for its payment. Null where that is not known.
  connection_hash bytea,

  -- What a gateway's own interface said, when it was asked.
  has_gateway_failed boolean not null default false,

  -- It is undone as a whole, for good: its buyer has withdrawn from it, or the sale has missed its
  -- soft cap.
  reversal text check (reversal in ('withdrawn', 'soft_cap')),
  reversed_at timestamptz,

  -- The outcome: derived from the facts, written by settling alone.
  status text not null
    check (status in ('pending', 'processing', 'completed', 'expired', 'failed')),
  status_reason text
    check (status_reason in (
      'underpaid', 'overpaid', 'late', 'wrong_asset', 'reorged', 'held', 'withdrawn', 'soft_cap'
    )),
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
  check ((reversal is null) = (reversed_at is null)),
  -- Nobody withdraws from what gives no right to, or too late.
  check (reversal <> 'withdrawn' or reversed_at < withdrawable_until),
  constraint withdrawn_is_withdrawable
    check (reversal is distinct from 'withdrawn' or withdrawable_until is not null)
);

create trigger changes_to_user before update of user_id on purchases
  for each row execute function require_user();

create function keep_reversal() returns trigger language plpgsql as $$
begin
  raise exception 'The purchase % is undone for good', old.id;
end
$$;

create trigger reversal_stays before update on purchases
  for each row when (
    old.reversal is not null
    and (new.reversal, new.reversed_at) is distinct from (old.reversal, old.reversed_at)
  )
  execute function keep_reversal();
create trigger withdrawable_stays before update on purchases
  for each row when (new.withdrawable_until < old.withdrawable_until
    or new.withdrawable_until is null and old.withdrawable_until is not null)
  execute function keep_reversal();

-- An address is given to one purchase, for ever, however it is spelled: operators look it up as they
-- were told it.
create unique index purchases_by_address on purchases (lower(address));
create index purchases_by_user on purchases (user_id, created_at, id);
-- The newest of one status, and of all of them by a look at each. Those that wait for a payment are
-- few and have an index of their own, so that making a purchase writes nothing here. Coin and stage
-- never change and are looked at in the index: a rare one is found without reading the purchases.
create index purchases_by_status on purchases (status, created_at, id)
  include (payment_token_id, stage_id) where status <> 'pending';
-- The same for the largest of them.
create index purchases_by_size on purchases (status, usd, id)
  include (created_at, payment_token_id, stage_id) where status <> 'pending';
create index purchases_open on purchases (user_id) where status = 'pending';
-- The second condition keeps this index from being taken for the one above.
create index purchases_expiring on purchases (grace_ends_at)
  where status = 'pending' and completed_at is null;
-- A purchase that waits for confirmations is looked at again as its time ends.
create index purchases_expiring_processing on purchases (grace_ends_at)
  where status = 'processing' and completed_at is null;
-- Only what waits for its payment has one: see forget_connection. No status in the condition, nor in
-- what is asked by it, or the index of all open ones could be read whole in place of this one.
create index purchases_open_by_connection on purchases (connection_hash)
  where connection_hash is not null;
-- What could still be withdrawn.
create index purchases_withdrawable on purchases (withdrawable_until)
  include (payment_token_id, credited_crypto, credited_usd) where status = 'completed';
-- What is still to be undone once the sale is closed below its soft cap.
create index purchases_unreversed on purchases (id)
  where reversal is null and status in ('pending', 'processing', 'completed');
create index purchases_held on purchases (created_at, id) where status_reason = 'held';
-- When each user last showed that they pay; a payment that is seen counts until it is confirmed,
-- unless it was less than half when the time was over.
create index purchases_paid on purchases (user_id, coalesce(completed_at, 'infinity'))
  where status = 'completed' or status = 'processing'
    and (status_reason is distinct from 'underpaid' or held * 2 >= reserved);
-- What was let expire: nothing came, or less than the minimum, or less than half that is not
-- confirmed yet, so that crumbs do not pass for a payment. Whoever paid too late or in the wrong coin did pay.
-- What was withdrawn from is in here, paid or not: unpaid_of_user looks at its receipts.
create index purchases_lapsed on purchases (user_id, created_at) where
  status = 'expired' and status_reason is distinct from 'late'
    and status_reason is distinct from 'wrong_asset'
  or status = 'failed' and status_reason in ('underpaid', 'withdrawn')
  or status = 'processing' and status_reason = 'underpaid' and held * 2 < reserved;

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
  -- What the chain or the gateway calls such an asset; null where nobody knows.
  asset text check (length(asset) between 1 and 200),
  amount base_units not null,
  block_height bigint,
  is_gone boolean not null default false,
  confirmations integer not null default 0 check (confirmations >= 0),
  required_confirmations integer not null,
  was_confirmed boolean not null default false,
  -- What the ledger holds of it.
  booked base_units not null default 0,
  seen_at timestamptz not null,
  -- The market when the receipt was first seen: what a late or too large payment may buy at. Where
  -- its coin had no price then, the first one that it has before the receipt is confirmed.
  market_stage_id text,
  market_token_price base_units,
  market_crypto_price base_units,
  -- What of it the last settlement of its purchase has taken into account: null where that found it
  -- gone, or there was no settlement since it came.
  settled_amount base_units,
  settled_confirmations integer check (settled_confirmations >= 0),
  unique (chain, transaction_hash, output_index),
  check ((market_stage_id is null) = (market_token_price is null)),
  check (market_stage_id is not null or market_crypto_price is null),
  check ((settled_amount is null) = (settled_confirmations is null)),
  check (payment_token_id is null or asset is null)
);

create index receipts_by_purchase on receipts (purchase_id);
-- A buyer names a transaction, and not the chain that it is on.
create index receipts_by_hash on receipts (transaction_hash);
create index receipts_unconfirmed on receipts (chain)
  where not is_gone and confirmations < required_confirmations;
create index receipts_unpriced on receipts (id)
  where market_stage_id is not null and market_crypto_price is null
  and not is_gone and confirmations < required_confirmations;
-- What waits to be booked, or is not any more: among them are the few that were paid back and are gone.
create index receipts_unbooked on receipts (id) where booked < amount;
-- What a reorganisation may have taken away.
create index receipts_by_height on receipts (chain, block_height) where not is_gone;

-- Transfers to purchases of tokens that the sale does not take. Anybody can make such a token and
-- send it, so that nothing is owed for it: a person takes it up as a debt or puts it away. What was
-- taken up is a receipt too, of the same id.
create table foreign_transfers (
  id uuid primary key,
  purchase_id uuid not null references purchases (id),
  chain text not null,
  transaction_hash text not null,
  output_index integer not null check (output_index >= 0),
  -- The token's contract, and what it calls itself: never to be trusted.
  asset text not null check (length(asset) between 1 and 200),
  symbol text check (length(symbol) between 1 and 32),
  -- What arrived, as far as is known: a token may keep a fee of it.
  amount base_units not null,
  -- Whether the address held it afterwards, as the token says; null where nobody could ask.
  is_held boolean,
  block_height bigint,
  is_gone boolean not null default false,
  seen_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'dismissed', 'owed')),
  -- Why a person decided so, and when.
  reason text check (length(reason) between 1 and 500),
  decided_at timestamptz,
  unique (chain, transaction_hash, output_index),
  check ((state = 'open') = (reason is null)),
  check ((state = 'open') = (decided_at is null))
);

create index foreign_transfers_by_state on foreign_transfers (state, seen_at, id)
  where not is_gone;
create index foreign_transfers_by_purchase on foreign_transfers (purchase_id);
-- What a reorganisation may have taken away.
create index foreign_transfers_by_height on foreign_transfers (chain, block_height)
  where not is_gone;

-- Money that reached an address of ours which no purchase has: it buys nothing, and a person has to
-- find out whose it is.
create table unmatched_transfers (
  chain text not null,
  transaction_hash text not null,
  output_index integer not null check (output_index >= 0),
  address text not null,
  -- Null where the asset is none of the sale's payment tokens: then its chain calls it so.
  payment_token_id text,
  asset text check (length(asset) between 1 and 200),
  amount base_units not null,
  -- Null while it waits for a block.
  block_height bigint,
  is_gone boolean not null,
  seen_at timestamptz not null,
  primary key (chain, transaction_hash, output_index)
);

create index unmatched_transfers_by_time on unmatched_transfers (seen_at) where not is_gone;
-- What a reorganisation may have taken away.
create index unmatched_transfers_by_height on unmatched_transfers (chain, block_height)
  where not is_gone;

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
  reason text not null check (length(reason) between 1 and 500)
);

create index operator_marks_by_purchase on operator_marks (purchase_id, id);

-- What is owed back to buyers, as settling last found it.
create table refunds_due (
  receipt_id uuid primary key references receipts (id),
  purchase_id uuid not null references purchases (id),
  amount base_units not null check (amount > 0),
  why text not null check (why in (
    'underpaid', 'overpaid', 'late', 'wrong_asset', 'failed', 'withdrawn', 'soft_cap'
  )),
  -- Since when: settling writes the list anew and keeps this.
  since timestamptz not null
);

create index refunds_due_by_purchase on refunds_due (purchase_id);
create index refunds_due_by_since on refunds_due (since, receipt_id);

-- Claims that are sent together: the files of one are signed by one wallet.
create table refund_batches (
  id bigint generated always as identity primary key,
  rail text not null,
  chain text not null,
  state text not null default 'open' check (state in ('open', 'sent', 'confirmed', 'cancelled')),
  -- The chain's height when it was made: what pays it stands above.
  since_height bigint not null,
  -- The transaction that an operator named; null where nobody did.
  named_hash text check (length(named_hash) between 1 and 128),
  -- Those named before it. A batch may be sent by several, and where coins leave no trace each of
  -- them is looked at for as long as the batch is followed.
  former_hashes text[] not null default '{}' check (cardinality(former_hashes) < 50),
  -- Why it was cancelled.
  reason text check (length(reason) between 1 and 500),
  created_at timestamptz not null,
  closed_at timestamptz
);

create index refund_batches_open on refund_batches (id) where state in ('open', 'sent');

-- What a chain has shown of the transactions that operators named. One that was replaced is nowhere
-- to be read any more: the other one is recognised by what it spends.
create table refund_named_transactions (
  batch_id bigint not null references refund_batches (id),
  hash text not null check (length(hash) between 1 and 128),
  -- Each of these is spent once: coins, as hash:index, or nonces, as address:nonce.
  spends text[] not null check (cardinality(spends) > 0),
  -- 'unread': in a block, and no node tells what its contract has sent.
  state text not null check (state in ('waiting', 'mined', 'unread', 'replaced')),
  -- Null as well if nobody can find what has replaced it.
  replaced_by text check (length(replaced_by) between 1 and 128),
  primary key (batch_id, hash),
  check (replaced_by is null or state <> 'waiting')
);

-- What buyers ask to be paid back, and where to: in one asset, of one or several receipts. What was
-- asked for never changes; another address is another claim.
create table refund_claims (
  id uuid primary key,
  user_id uuid not null references users (id),
  rail text not null,
  chain text not null,
  payment_token_id text not null,
  address text not null check (length(address) between 1 and 200),
  -- Of all receipts together, and what of it pays the network.
  amount base_units not null check (amount > 0),
  fee base_units not null check (fee < amount),
  state text not null default 'claimed' check (
    state in ('claimed', 'approved', 'batched', 'sent', 'confirmed', 'rejected', 'cancelled')
  ),
  claimed_at timestamptz not null,
  -- Until then nobody approves it, and the buyer can cancel it.
  approvable_at timestamptz not null check (approvable_at >= claimed_at),
  approved_at timestamptz,
  batch_id bigint references refund_batches (id),
  -- Where its transfer was found, or what an operator named.
  transaction_hash text check (length(transaction_hash) between 1 and 128),
  output_index integer check (output_index >= 0),
  -- Of that transfer, as it was last seen; null where no chain is read.
  confirmations integer check (confirmations >= 0),
  required_confirmations integer check (required_confirmations >= 0),
  -- The chain's greatest height at which it was seen: a node with fewer blocks is behind, and does
  -- not say that the transfer is gone.
  seen_height bigint,
  -- Since when its transfer, which had its confirmations, is no longer on its chain.
  gone_at timestamptz check (gone_at is null or state = 'confirmed'),
  -- Why it was rejected.
  reason text check (length(reason) between 1 and 500),
  closed_at timestamptz,
  check ((state in ('batched', 'sent', 'confirmed')) = (batch_id is not null)),
  check ((state in ('sent', 'confirmed')) = (transaction_hash is not null)),
  check (transaction_hash is not null or output_index is null),
  check ((output_index is null) = (confirmations is null)),
  check ((confirmations is null) = (required_confirmations is null)),
  check ((confirmations is null) = (seen_height is null)),
  check (state not in ('approved', 'batched', 'sent', 'confirmed') or approved_at is not null),
  check ((state in ('confirmed', 'rejected', 'cancelled')) = (closed_at is not null)),
  check (state <> 'rejected' or reason is not null),
  check (approved_at is null or approved_at >= approvable_at)
);

create index refund_claims_by_user on refund_claims (user_id, claimed_at);
create index refund_claims_by_state on refund_claims (state, claimed_at, id);
create index refund_claims_by_batch on refund_claims (batch_id) where batch_id is not null;
create index refund_claims_paid on refund_claims (closed_at) where state = 'confirmed';
create index refund_claims_gone on refund_claims (gone_at) where gone_at is not null;
-- One transfer pays one claim. On some chains it is known by its place among what its transaction
-- sent to the same address in the same asset.
create unique index refund_claims_by_transfer
  on refund_claims (chain, transaction_hash, payment_token_id, address, output_index)
  where output_index is not null;

-- The receipts that a claim is about, each with what of it is claimed.
create table refund_claim_parts (
  claim_id uuid not null references refund_claims (id),
  receipt_id uuid not null references receipts (id),
  purchase_id uuid not null references purchases (id),
  amount base_units not null check (amount > 0),
  -- What of it pays the network.
  fee base_units not null check (fee <= amount),
  -- Why it is owed, as the list of what is owed had it, and since when.
  why text not null,
  owed_since timestamptz not null,
  -- False once the claim is closed.
  is_active boolean not null default true,
  primary key (claim_id, receipt_id)
);

-- A receipt is in one claim at a time.
create unique index refund_claim_parts_active on refund_claim_parts (receipt_id) where is_active;
create index refund_claim_parts_by_purchase on refund_claim_parts (purchase_id);

-- Which claims a batch has, and has had: who has its file can still send it.
create table refund_batch_claims (
  batch_id bigint not null references refund_batches (id),
  claim_id uuid not null references refund_claims (id),
  -- Since when the claim is in it no more.
  left_at timestamptz,
  primary key (batch_id, claim_id)
);

-- A claim is in one batch at a time.
create unique index refund_batch_claims_current on refund_batch_claims (claim_id)
  where left_at is null;
create index refund_batch_claims_left on refund_batch_claims (left_at) where left_at is not null;

-- What came to the address of a claim that waits to be found, in another amount than it asks for,
-- while it was in a batch: who makes another batch of it has to know.
create table refund_other_amounts (
  batch_id bigint not null references refund_batches (id),
  claim_id uuid not null references refund_claims (id),
  transaction_hash text not null check (length(transaction_hash) between 1 and 128),
  output_index integer not null check (output_index >= 0),
  amount base_units not null,
  primary key (batch_id, claim_id, transaction_hash, output_index)
);

create index refund_other_amounts_by_claim on refund_other_amounts (claim_id);

-- Coins that plain transactions carried to the addresses of claims that are followed, noted as their
-- blocks are read for payments: coins leave no log. Whether they are there still is asked each time.
create table refund_coin_transfers (
  chain text not null,
  -- Both in lower case.
  address text not null check (length(address) between 1 and 200),
  sender text not null check (length(sender) between 1 and 200),
  transaction_hash text not null check (length(transaction_hash) between 1 and 128),
  amount base_units not null check (amount > 0),
  block_height bigint not null,
  primary key (chain, address, transaction_hash)
);

-- Transfers of a batch that its claim was not to have: it is paid by another one, or was rejected.
create table refund_double_payments (
  id bigint generated always as identity primary key,
  claim_id uuid not null references refund_claims (id),
  batch_id bigint not null references refund_batches (id),
  chain text not null,
  payment_token_id text not null,
  address text not null check (length(address) between 1 and 200),
  transaction_hash text not null check (length(transaction_hash) between 1 and 128),
  output_index integer not null check (output_index >= 0),
  found_at timestamptz not null,
  unique (chain, transaction_hash, payment_token_id, address, output_index)
);

-- What was paid back, as an operator told or a chain shows. Money of a receipt that stands here buys
-- nothing any more and is never owed again, whatever settling derives.
create table refund_payments (
  id bigint generated always as identity primary key,
  receipt_id uuid not null references receipts (id),
  purchase_id uuid not null references purchases (id),
  amount base_units not null check (amount > 0),
  -- What of it paid the network.
  fee base_units not null default 0 check (fee <= amount),
  -- The claim that it was paid by; null where an operator told.
  claim_id uuid references refund_claims (id),
  -- Why it was owed, and since when.
  why text not null check (why in (
    'underpaid', 'overpaid', 'late', 'wrong_asset', 'failed', 'withdrawn', 'soft_cap'
  )),
  owed_since timestamptz not null,
  -- The transaction that paid it back.
  chain text not null,
  transaction_hash text not null check (length(transaction_hash) between 1 and 128),
  -- Counts the refunds of one transaction: another one than the first has to be meant.
  place integer not null check (place >= 0),
  paid_at timestamptz not null,
  unique (chain, transaction_hash, place),
  -- A part of a claim is paid once.
  unique (claim_id, receipt_id)
);

create index refund_payments_by_receipt on refund_payments (receipt_id);
create index refund_payments_by_purchase on refund_payments (purchase_id);
create index refund_payments_by_hash on refund_payments (transaction_hash);
create index refund_payments_by_since on refund_payments (owed_since, receipt_id);

-- How many refunds were paid, kept as it changes: counting them would grow with the sale.
create table refund_sums (
  id smallint primary key default 1 check (id = 1),
  paid bigint not null check (paid >= 0)
) with (fillfactor = 50);

create function count_refund_paid() returns trigger language plpgsql as $$
begin
  insert into refund_sums as known (paid) values (1)
    on conflict (id) do update set paid = known.paid + 1;
  return null;
end
$$;

-- Last, since everybody who pays locks the same row: none of them takes another lock behind it.
create constraint trigger count_refund_paid after insert on refund_payments
  deferrable initially deferred for each row execute function count_refund_paid();

-- A claim goes one way. Out of a batch it goes only back to those that were approved.
create function guard_refund_claim() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'Refund claims are kept';
  end if;
  if (new.id, new.user_id, new.rail, new.chain, new.payment_token_id, new.address, new.amount,
      new.fee, new.claimed_at, new.approvable_at)
    is distinct from (old.id, old.user_id, old.rail, old.chain, old.payment_token_id, old.address,
      old.amount, old.fee, old.claimed_at, old.approvable_at)
  then
    raise exception 'What was claimed does not change: %', old.id;
  end if;
  if new.state <> old.state and not (
    (old.state = 'claimed' and new.state in ('approved', 'rejected', 'cancelled'))
    or (old.state = 'approved' and new.state in ('batched', 'rejected'))
    or (old.state = 'batched' and new.state in ('sent', 'approved'))
    or (old.state = 'sent' and new.state in ('batched', 'confirmed'))
  ) then
    raise exception 'The refund claim % is % and cannot be %', old.id, old.state, new.state;
  end if;
  return new;
end
$$;

create trigger guard_refund_claim before update or delete on refund_claims
  for each row execute function guard_refund_claim();

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
  -- Why it was taken back, where a chain has taken back a payment that earned it. Anything else is
  -- between the referred user and the sale.
  status_reason text check (status_reason = 'reorged'),
  created_at timestamptz not null,
  completed_at timestamptz not null,
  check (status = 'failed' or status_reason is null)
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
create index ledger_transfers_by_cause on ledger_transfers (cause_id) where cause_id is not null;

-- What operators did, written in the transaction that did it. A chain: see the decision on it.
create table operator_actions (
  -- 1, 2, 3 and so on without gaps, given out under the lock of the head.
  id bigint primary key check (id > 0),
  at timestamptz not null,
  -- Who: a person in a session, software by its key, whoever has the server's token, or the server.
  kind text not null check (kind in ('person', 'key', 'token', 'server')),
  -- Of the operator or the key.
  operator_id uuid,
  -- Their name; with the token by their own word, null where a call did not say.
  operator text check (length(operator) between 1 and 100),
  -- Where the call came from.
  address text not null,
  -- The name of the call.
  act text not null,
  -- What it was about, where it was about one.
  purchase_id uuid references purchases (id),
  user_id uuid references users (id),
  details jsonb not null default '{}',
  -- HMAC-SHA256, by a key that is not in the database, of the hash before and of this row.
  hash bytea not null
);

-- Where the chain of operator_actions ends. Locked by each act, which gives the acts their order.
create table audit_head (
  id smallint primary key default 1 check (id = 1),
  number bigint not null,
  hash bytea not null,
  at timestamptz not null,
  -- HMAC-SHA256 of the head, so that who has the database alone cannot set it back.
  seal bytea not null
);

-- People who run the sale, apart from those who buy. Never deleted: what they did keeps their name.
create table operators (
  id uuid primary key,
  email text not null,
  name text not null check (length(name) between 1 and 100),
  role text not null check (role in ('viewer', 'support', 'finance', 'owner')),
  password_hash text not null,
  created_at timestamptz not null,
  removed_at timestamptz
);

-- Somebody who was removed may be invited again.
create unique index operators_by_email on operators (lower(email)) where removed_at is null;

create table operator_sessions (
  id uuid primary key,
  operator_id uuid not null references operators (id),
  token_hash bytea not null unique,
  started_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  user_agent text not null,
  address text not null
);

create index operator_sessions_by_operator on operator_sessions (operator_id);

-- Links by which somebody gets in: single use, for somebody new, or for one who lost their factors.
create table operator_invitations (
  id uuid primary key,
  -- Who gets in by it: an id for somebody new, their own for one whose factors were reset.
  operator_id uuid not null,
  email text not null,
  role text not null check (role in ('viewer', 'support', 'finance', 'owner')),
  token_hash bytea not null unique,
  -- Of the authenticator app that is being set up, bound to the operator's id.
  sealed_secret bytea,
  -- Null where it was made with the server's token.
  invited_by uuid references operators (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  -- Taken back by hand, or replaced by a newer one.
  withdrawn_at timestamptz,
  check (sealed_secret is null or accepted_at is null and withdrawn_at is null)
);

create unique index operator_invitations_open on operator_invitations (lower(email))
  where accepted_at is null and withdrawn_at is null;

-- Keys of WebAuthn, one of which is enough to sign in.
create table operator_passkeys (
  id uuid primary key,
  operator_id uuid not null references operators (id),
  -- As the authenticator names it, base64url.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  -- Grows with each use, where it is not 0 for ever: one that stands still is of a copy.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index operator_passkeys_by_operator on operator_passkeys (operator_id);

-- What an authenticator signs, by its hash: used once, for what it was made for.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('sign_in', 'accept', 'add')),
  -- The invitation or the session that it was made for; null for a sign-in.
  bound_to uuid,
  expires_at timestamptz not null
);

create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- What happened to how operators sign in, as each is shown of their own.
create table operator_security_events (
  id bigint generated always as identity primary key,
  -- Null where a try named nobody that is known.
  operator_id uuid,
  at timestamptz not null,
  kind text not null,
  address text not null,
  user_agent text not null,
  details jsonb not null default '{}'
);

create index operator_security_events_by_operator on operator_security_events (operator_id, id);

-- A sale always has an owner. Whoever changes operators waits for all others who do: two owners
-- who lower each other at one moment would each see the other as the one who is left.
create function wait_for_other_changes_of_operators() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('operators'));
  return null;
end
$$;

create function keep_an_owner() returns trigger language plpgsql as $$
begin
  if not exists (select from operators where role = 'owner' and removed_at is null) then
    raise check_violation using
      message = 'The last owner cannot be lowered or removed',
      constraint = 'operators_keep_an_owner';
  end if;
  return null;
end
$$;

create trigger one_at_a_time before update of role, removed_at on operators
  for each statement execute function wait_for_other_changes_of_operators();
create trigger owner_stays after update of role, removed_at on operators
  for each row when (
    old.role = 'owner' and old.removed_at is null
    and (new.role <> 'owner' or new.removed_at is not null)
  )
  execute function keep_an_owner();

create function refuse_loss_of_operator() returns trigger language plpgsql as $$
begin
  raise exception 'An operator stays for ever: remove them by their removed_at';
end
$$;

create trigger operators_stay before delete or truncate on operators
  for each statement execute function refuse_loss_of_operator();

-- How other software makes operators' calls.
create table api_keys (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  prefix text not null,
  key_hash bytea not null unique,
  permissions text[] not null,
  -- Null where it was made with the server's token.
  created_by uuid references operators (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  ended_at timestamptz
);

-- Who has taken what waits for a person. What nobody has taken is that of whoever may do its next
-- step.
create table inbox_owners (
  kind text not null,
  item_id text not null check (length(item_id) between 1 and 400),
  operator_id uuid not null references operators (id),
  since timestamptz not null,
  primary key (kind, item_id)
);

-- What a person has looked into and put away, where nothing else would end it.
create table inbox_closed (
  kind text not null check (
    kind in (
      'mail', 'lost_payment', 'unmatched', 'uncovered', 'sent_not_owed', 'paid_twice',
      'payout_gone', 'sweep', 'late_delivery'
    )
  ),
  item_id text not null,
  reason text not null check (length(reason) between 1 and 500),
  at timestamptz not null,
  primary key (kind, item_id)
);

create index operator_actions_by_purchase on operator_actions (purchase_id)
  where purchase_id is not null;
create index operator_actions_by_user on operator_actions (user_id) where user_id is not null;
create index operator_actions_by_operator on operator_actions (operator_id, id)
  where operator_id is not null;
create index operator_actions_by_name on operator_actions (lower(operator), id)
  where operator is not null;
create index operator_actions_by_act on operator_actions (act, id);
create index operator_actions_by_time on operator_actions (at, id);

-- Acts that wait, or have waited, for a second person.
create table approvals (
  id uuid primary key,
  -- The name of the call, and what of it was sent, as it will be made.
  act text not null,
  input jsonb not null,
  -- SHA-256 of both: whoever approves says what they have seen.
  hash bytea not null,
  summary text not null,
  -- The purchase, receipt or file that it is about.
  about text,
  purchase_id uuid references purchases (id),
  -- What is at stake; null where it is not money, or its worth is not known.
  usd base_units,
  -- What whoever approves must be allowed.
  permission text not null,
  asked_kind text not null check (asked_kind in ('person', 'key', 'token')),
  -- Null for whoever has the server's token, which is nobody.
  asked_by uuid check ((asked_kind = 'token') = (asked_by is null)),
  asked_name text not null,
  asked_address text not null,
  -- The person behind: who asked, or who made the key that did; null where the token made it.
  asked_person uuid references operators (id) check (asked_kind <> 'token' or asked_person is null),
  asked_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > asked_at),
  state text not null default 'waiting' check (
    state in ('waiting', 'approved', 'done', 'failed', 'refused', 'withdrawn', 'expired')
  ),
  decided_by uuid references operators (id),
  decided_name text,
  decided_at timestamptz,
  -- Why it was refused, or could not be done.
  reason text,

  -- Never without a second person, never by the one who asked, never after the expiry.
  constraint approvals_by_two check (
    state not in ('approved', 'done', 'failed') or (
      decided_by is not null and decided_at is not null and decided_at < expires_at
        and decided_by is distinct from asked_by and decided_by is distinct from asked_person
    )
  )
);

-- Asking again for what waits is the same, also with the token.
create unique index approvals_waiting on approvals (hash, asked_by) nulls not distinct
  where state = 'waiting';
create index approvals_by_state on approvals (state, asked_at, id);
create index approvals_by_time on approvals (asked_at, id);
create index approvals_by_purchase on approvals (purchase_id) where purchase_id is not null;

-- What was asked for stays as it was seen, and nothing is decided or done twice.
create function guard_approval() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'Approvals are kept';
  end if;
  if (new.id, new.act, new.input, new.hash, new.permission, new.asked_kind, new.asked_by,
      new.asked_person, new.asked_at, new.expires_at, new.usd, new.summary)
    is distinct from (old.id, old.act, old.input, old.hash, old.permission, old.asked_kind,
      old.asked_by, old.asked_person, old.asked_at, old.expires_at, old.usd, old.summary)
  then
    raise exception 'What was asked for does not change: %', old.id;
  end if;
  if not (
    (old.state = 'waiting' and new.state in ('approved', 'refused', 'withdrawn', 'expired'))
    or (old.state = 'approved' and new.state in ('done', 'failed')
      and new.decided_by = old.decided_by and new.decided_at = old.decided_at)
  ) then
    raise exception 'The approval % is % and cannot be %', old.id, old.state, new.state;
  end if;
  return new;
end
$$;

create trigger guard_approval before update or delete on approvals
  for each row execute function guard_approval();

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
-- Those to come of a stage that a sale file takes away or opens at another time are replaced.
create index price_points_by_stage on price_points (stage_id);
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

-- What was changed since the guard looked at it, and what it found broken: it stays until it is not.
create table unchecked (
  id bigint generated always as identity primary key,
  kind text not null check (
    kind in ('purchase', 'user', 'transfer', 'mail', 'snapshot', 'distribution')
  ),
  subject text not null
);

-- What several rows have noted is looked at once.
create index unchecked_by_subject on unchecked (kind, subject, id);

-- Of the tables that only grow: every row up to this one has been looked at, and none comes later.
create table checked_through (
  table_name text primary key,
  row_id bigint not null
);

-- What the ledger's transfers up to there come to, but for the accounts of users.
create table checked_balances (
  account text not null,
  asset text not null,
  received base_units not null,
  given base_units not null,
  primary key (account, asset)
);

-- The last look at everything, whether or not it was changed.
create table audits (
  id smallint primary key default 1 check (id = 1),
  ended_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  not_run jsonb not null
);

-- The keys that the sale was ever used with. An extended public key that replaces another of its name
-- has an index of its own; the addresses of the former one stay watched.
create table pinned_keys (
  -- The setting that gives the key: SECRET_KEY, or one from which addresses are derived, as EVM_XPUB.
  name text not null,
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{16}$'),
  is_current boolean not null,
  -- The lowest index that was never used. Non-hardened indexes end at 2^31.
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  -- Which database gives out addresses: a copy of it does not know those that were given out since.
  database text,
  pinned_at timestamptz not null,
  primary key (name, fingerprint)
);

create unique index pinned_keys_current on pinned_keys (name) where is_current;

-- Every address that was ever derived, written before anybody sees it.
create table derived_addresses (
  -- Given under the lock of the key's row, so that whoever knows all up to one misses none later.
  id bigint generated always as identity primary key,
  key_name text not null,
  fingerprint text not null,
  derivation_index bigint not null check (derivation_index >= 0),
  -- What it was meant to be paid on; null where it was skipped.
  chain text,
  address text not null unique,
  taken_at timestamptz not null,
  unique (key_name, fingerprint, derivation_index),
  foreign key (key_name, fingerprint) references pinned_keys (name, fingerprint)
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

create trigger index_grows before update on pinned_keys
  for each row execute function keep_index_growing();

-- A file of signed transactions that bring what lies at our addresses to a treasury. It is kept when
-- it is sent for the first time, and may then wait for a second person.
create table sweeps (
  id uuid primary key,
  chain text not null,
  treasury text not null,
  payer text not null,
  -- SHA-256 of the file, in hex.
  file_hash text not null unique check (file_hash ~ '^[0-9a-f]{64}$'),
  -- `kept`: nothing of it was sent. `open`: the server sends it. `closed`: each of its transactions
  -- has ended, one way or the other.
  state text not null default 'kept' check (state in ('kept', 'open', 'closed')),
  kept_at timestamptz not null,
  opened_at timestamptz,
  closed_at timestamptz,
  check ((state = 'kept') = (opened_at is null)),
  check ((state = 'closed') = (closed_at is not null))
);

-- Two at once would use the same nonces.
create unique index sweeps_open on sweeps (chain) where state = 'open';

create table sweep_transactions (
  sweep_id uuid not null references sweeps (id),
  -- In the order in which they are sent.
  place integer not null check (place >= 0),
  -- `gas` goes from the payer to an address of ours, `coins` and `tokens` from there to the treasury.
  kind text not null check (kind in ('gas', 'coins', 'tokens')),
  transaction_hash text not null,
  raw text not null,
  sender text not null,
  nonce bigint not null check (nonce >= 0),
  -- Of ours: from where it is swept, or where the gas goes.
  address text not null,
  payment_token_id text,
  amount base_units not null check (amount > 0),
  -- At most, in the chain's own coin.
  fee base_units not null,
  state text not null default 'waiting' check (
    state in ('waiting', 'sent', 'confirmed', 'failed', 'stopped')
  ),
  -- Of the block that has it.
  block_height bigint,
  sent_at timestamptz,
  -- Why it waits or has failed, and what to do.
  fault text check (length(fault) between 1 and 500),
  primary key (sweep_id, place),
  check ((state = 'sent') <= (sent_at is not null)),
  check (state <> 'confirmed' or block_height is not null),
  check (state <> 'failed' or fault is not null)
);

create unique index sweep_transactions_by_nonce on sweep_transactions (sweep_id, sender, nonce);
create index sweep_transactions_unfinished on sweep_transactions (sweep_id, place)
  where state in ('waiting', 'sent');
create index sweep_transactions_failed on sweep_transactions (sweep_id) where state = 'failed';

-- What was signed never changes, and what has ended stays so.
create function guard_sweep_transaction() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'Transactions of sweeps are kept';
  end if;
  if (new.sweep_id, new.place, new.kind, new.transaction_hash, new.raw, new.sender, new.nonce,
      new.address, new.payment_token_id, new.amount, new.fee)
    is distinct from (old.sweep_id, old.place, old.kind, old.transaction_hash, old.raw, old.sender,
      old.nonce, old.address, old.payment_token_id, old.amount, old.fee)
  then
    raise exception 'What was signed does not change: %', old.transaction_hash;
  end if;
  if old.state in ('confirmed', 'failed', 'stopped') and new.state <> old.state then
    raise exception 'The transaction % is % and stays so', old.transaction_hash, old.state;
  end if;
  return new;
end
$$;

create trigger guard_sweep_transaction before update or delete on sweep_transactions
  for each row execute function guard_sweep_transaction();

-- What left our addresses on their chains, by whatever means, and the gas that the payer of sweeps
-- sent to them, as read in blocks. Rows are never deleted: a reorganisation marks them.
create table sweep_movements (
  chain text not null,
  transaction_hash text not null,
  output_index integer not null check (output_index >= 0),
  kind text not null check (kind in ('out', 'gas')),
  address text not null,
  -- Where it went, or came from; empty where the transaction made a contract.
  counterparty text not null,
  -- Null where the asset is none of the sale's payment tokens.
  payment_token_id text,
  amount base_units not null,
  -- What the address paid for the transaction, in the chain's own coin.
  fee base_units not null,
  block_height bigint not null,
  is_gone boolean not null default false,
  moved_at timestamptz not null,
  primary key (chain, transaction_hash, output_index)
);

create index sweep_movements_by_address on sweep_movements (address);
create index sweep_movements_by_height on sweep_movements (chain, block_height) where not is_gone;

-- The unsigned transaction (PSBT) that was made of a batch, once: another one would spend other
-- coins, and both could be paid. Its change goes to an index of the key's internal branch that no
-- other has.
create table payout_psbts (
  batch_id bigint primary key references refund_batches (id),
  psbt text not null,
  key_name text not null,
  fingerprint text not null,
  change_index bigint not null check (change_index >= 0),
  made_at timestamptz not null,
  unique (key_name, fingerprint, change_index),
  foreign key (key_name, fingerprint) references pinned_keys (name, fingerprint)
);

-- Where a buyer wants the tokens: of those that were not cancelled and are in effect, the newest. An
-- address is never changed: another one is another row.
create table receiving_wallets (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- EIP-155, of the chain that the tokens are delivered on.
  chain_id bigint not null check (chain_id > 0),
  -- With the checksum of EIP-55.
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- How it was shown to be the buyer's: signed by its key, by a contract, or not at all.
  proof text not null check (proof in ('signature', 'contract_signature', 'none')),
  -- What was signed (EIP-4361), and the signature in hex.
  message text check (length(message) between 1 and 4000),
  signature text check (signature ~ '^0x[0-9a-f]+$'),
  -- Of the block by which a contract was asked: its answer may be another one later.
  block_height bigint,
  block_hash text,
  set_at timestamptz not null,
  -- Later than `set_at` for a change, which can be cancelled until then.
  effective_at timestamptz not null check (effective_at >= set_at),
  cancelled_at timestamptz check (cancelled_at < effective_at),
  check ((proof = 'none') = (message is null)),
  check ((message is null) = (signature is null)),
  check ((proof = 'contract_signature') = (block_hash is not null)),
  check ((block_height is null) = (block_hash is null))
);

create index receiving_wallets_by_user on receiving_wallets (user_id, effective_at desc)
  where cancelled_at is null;
create index receiving_wallets_by_address on receiving_wallets (lower(address))
  where cancelled_at is null;

-- Who has named a wallet since a snapshot was taken.
create index receiving_wallets_by_effect on receiving_wallets (effective_at)
  where cancelled_at is null;
create index receiving_wallets_waiting on receiving_wallets (effective_at)
  where cancelled_at is null and effective_at > set_at;

create function guard_receiving_wallet() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'Receiving wallets are kept';
  end if;
  if to_jsonb(new) - 'cancelled_at' <> to_jsonb(old) - 'cancelled_at' or old.cancelled_at is not null
  then
    raise exception 'A receiving wallet is cancelled once, and otherwise never changed: %', old.id;
  end if;
  return new;
end
$$;

create trigger guard_receiving_wallet before update or delete on receiving_wallets
  for each row execute function guard_receiving_wallet();

create function guard_new_receiving_wallet() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for no key update;
  if exists (
    select from receiving_wallets
    where user_id = new.user_id and cancelled_at is null and effective_at >= new.set_at
  ) then
    raise exception 'The receiving wallet of % is changed already, or not yet', new.user_id;
  end if;
  return new;
end
$$;

create trigger guard_new_receiving_wallet before insert on receiving_wallets
  for each row execute function guard_new_receiving_wallet();

-- What a wallet is asked to sign, once: a nonce that was used opens nothing again.
create table wallet_challenges (
  nonce text primary key check (nonce ~ '^[0-9a-zA-Z]{16,}$'),
  user_id uuid not null references users (id),
  message text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index wallet_challenges_by_expiry on wallet_challenges (expires_at);

-- Who owned how many tokens when the books were closed. A correction is the next number.
create table snapshots (
  number integer primary key check (number > 0),
  taken_at timestamptz not null,
  -- The last transfer of the ledger that is in it.
  ledger_position bigint not null,
  -- Of all its leaves, which is that of all its owners.
  tokens base_units not null check (tokens > 0),
  leaf_count integer not null check (leaf_count > 0),
  owner_count integer not null check (owner_count > 0),
  -- Of the tree of salted leaves.
  root bytea not null check (length(root) = 32),
  -- Why it corrects the one before; null for the first.
  reason text check (length(reason) between 1 and 500),
  check ((number = 1) = (reason is null))
);

-- A snapshot names the wallets in effect: a change that waits would come too late for it. Whoever sets
-- a wallet holds this table, so that by now every one is there that was set before.
create function end_waiting_wallets() returns trigger language plpgsql as $$
begin
  if exists (select from receiving_wallets where set_at > new.taken_at and cancelled_at is null) then
    raise exception 'A receiving wallet was set after %: take the snapshot anew', new.taken_at;
  end if;
  with ended as (
    update receiving_wallets set cancelled_at = new.taken_at
    where cancelled_at is null and effective_at > new.taken_at and effective_at > set_at
    returning id, user_id
  )
  insert into outbox_mails (user_id, kind, params, unique_key, created_at)
  select user_id, 'wallet_change_cancelled', jsonb_build_object('wallet_id', id),
    'wallet_change_cancelled:' || id, new.taken_at
  from ended;
  return null;
end
$$;

-- Last, as a large snapshot takes minutes to write: whoever writes into the table of mails keeps the
-- books from being checked, and nothing is frozen after a check that could not be made.
create constraint trigger end_waiting_wallets after insert on snapshots
  deferrable initially deferred for each row execute function end_waiting_wallets();

-- What each purchase and each reward has brought its owner.
create table snapshot_leaves (
  snapshot integer not null references snapshots (number),
  -- The purchase or the reward.
  cause_id uuid not null,
  user_id uuid not null references users (id),
  -- That it was made or earned in, whose schedule was promised. A late payment may have been given
  -- tokens of another stage.
  stage_id text not null,
  tokens base_units not null check (tokens > 0),
  -- Known to the owner alone, so that nobody can guess the leaf of another.
  salt bytea not null check (length(salt) = 32),
  -- Where its leaf stands in the tree's array of nodes.
  tree_index integer not null check (tree_index >= 0),
  primary key (snapshot, cause_id)
);

create index snapshot_leaves_by_user on snapshot_leaves (user_id, snapshot);

-- The nodes of a snapshot's tree, of 32 bytes each: a proof takes one of each level.
create table snapshot_nodes (
  snapshot integer not null references snapshots (number),
  -- The first node of the piece.
  start integer not null check (start >= 0),
  nodes bytea not null,
  primary key (snapshot, start)
);

create table snapshot_owners (
  snapshot integer not null references snapshots (number),
  user_id uuid not null references users (id),
  tokens base_units not null check (tokens > 0),
  -- The wallet in effect then; null where there was none.
  address text check (address ~ '^0x[0-9a-fA-F]{40}$'),
  primary key (snapshot, user_id)
);

-- Whose wallet nobody knew.
create index snapshot_owners_unassigned on snapshot_owners (snapshot, user_id) include (tokens)
  where address is null;
-- The order of the rows of every file.
create index snapshot_owners_by_address on snapshot_owners (snapshot, address collate "C", user_id)
  where address is not null;

-- Tokens of a snapshot that are handed out together, by one tool: a list of wallets and amounts.
create table distributions (
  id bigint generated always as identity primary key,
  snapshot integer not null references snapshots (number),
  tool text not null,
  -- The months after the start of the releases up to which it hands out what is released, 0 for the
  -- start itself; null for the whole, which the tool may release over time.
  through integer check (through >= 0),
  -- Of the token's contract, as the sale file had them.
  chain_id bigint not null check (chain_id > 0),
  token text not null check (token ~ '^0x[0-9a-fA-F]{40}$'),
  token_decimals smallint not null check (token_decimals between 0 and 36),
  row_count integer not null check (row_count > 0),
  tokens base_units not null check (tokens > 0),
  -- The same in base units of the token's contract.
  amount base_units not null check (amount > 0),
  -- Wallets with so little that it is nothing in base units of the token's contract: left out.
  dust_count integer not null check (dust_count >= 0),
  dust_tokens base_units not null,
  -- Of the tree that the tool's contract is given; null where it has none.
  root bytea check (length(root) = 32),
  -- What the tool has to be told beside the file, as it was computed from the sale file then.
  schedule jsonb,
  made_at timestamptz not null,
  -- The chain's height then, above which everything is that it hands out; null without a node.
  made_height bigint,
  state text not null default 'made' check (
    state in ('made', 'published', 'closed', 'withdrawn')
  ),
  -- The contract that buyers claim from, or the wallet that sends; null until it is published.
  contract text check (contract ~ '^0x[0-9a-fA-F]{40}$'),
  -- Which campaign it is, of a contract that has those of many people.
  campaign text check (campaign ~ '^0x[0-9a-f]{32}$'),
  claim_url text check (length(claim_url) between 1 and 2000),
  -- The first block that is read, and the last one that was read for good, with its hash.
  from_height bigint check (from_height >= 0),
  read_height bigint,
  read_hash text,
  -- What its contract still had at the last reading to the newest block, if some was swept.
  remaining base_units,
  expires_at timestamptz,
  published_at timestamptz,
  -- When it was withdrawn, or closed with what nobody claimed.
  ended_at timestamptz,
  reason text check (length(reason) between 1 and 500),
  check ((published_at is null) = (contract is null)),
  check ((contract is null) = (from_height is null)),
  check ((campaign is not null) = (tool = 'hedgey' and contract is not null)),
  check ((state in ('published', 'closed')) <= (published_at is not null)),
  check ((state in ('closed', 'withdrawn')) = (ended_at is not null)),
  check ((state = 'withdrawn') <= (reason is not null))
);

create unique index distributions_by_contract on distributions (chain_id, lower(contract), coalesce(campaign, ''))
  where state = 'published' and root is not null;

create table distribution_rows (
  distribution_id bigint not null references distributions (id),
  -- From 0, in the order of the file.
  place integer not null check (place >= 0),
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  tokens base_units not null check (tokens > 0),
  amount base_units not null check (amount > 0),
  -- Where its leaf stands in the tree's array of nodes; null where the tool has no tree.
  tree_index integer check (tree_index >= 0),
  primary key (distribution_id, place)
);

create unique index distribution_rows_by_address
  on distribution_rows (distribution_id, lower(address));

-- The nodes of a distribution's tree, of 32 bytes each, in pieces.
create table distribution_nodes (
  distribution_id bigint not null references distributions (id),
  -- The first node of the piece.
  start integer not null check (start >= 0),
  nodes bytea not null,
  primary key (distribution_id, start)
);

-- The files of a distribution as they were when it was made: what is downloaded is compared.
create table distribution_files (
  distribution_id bigint not null references distributions (id),
  place integer not null check (place >= 0),
  name text not null,
  -- The first of its rows, and how many it has; none for what is no list of wallets.
  first_row integer not null check (first_row >= 0),
  row_count integer not null check (row_count >= 0),
  -- What its rows add up to, in base units of the token's contract.
  amount base_units not null,
  bytes bigint not null check (bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  primary key (distribution_id, place),
  unique (distribution_id, name)
);

-- Whose tokens a row has: two accounts may have one wallet.
create table distribution_parts (
  distribution_id bigint not null,
  place integer not null,
  user_id uuid not null references users (id),
  tokens base_units not null check (tokens > 0),
  primary key (distribution_id, user_id),
  foreign key (distribution_id, place) references distribution_rows (distribution_id, place)
);

create index distribution_parts_by_user on distribution_parts (user_id);
create index distribution_parts_by_row on distribution_parts (distribution_id, place);

-- What the chain shows of a row: claimed by its owner, sent to them, or swept back by the sender; and
-- what left its contract in a way that cannot be read.
-- Those above `read_height` are written anew at each reading, so that a reorganisation takes back
-- what it took back.
create table distribution_events (
  distribution_id bigint not null references distributions (id),
  -- Null for what was swept, for what is unknown, and for what a row got once more.
  place integer,
  kind text not null check (kind in ('claimed', 'sent', 'swept', 'unknown', 'repeated')),
  transaction_hash text not null,
  log_index integer not null check (log_index >= 0),
  block_height bigint not null,
  block_hash text not null,
  at timestamptz not null,
  -- Where the tokens went: who claims may name another address.
  receiver text not null,
  -- What arrived, by the token's own log.
  amount base_units not null,
  -- Seen after the distribution had ended: another one may have given its wallet the same tokens. Or
  -- once more than any list says, as long as none does.
  is_late boolean not null default false,
  check ((place is null) = (kind in ('swept', 'unknown', 'repeated'))),
  check (kind <> 'repeated' or is_late),
  primary key (distribution_id, block_hash, transaction_hash, log_index),
  foreign key (distribution_id, place) references distribution_rows (distribution_id, place)
);

-- One transfer pays one row, whichever distribution it is of. In another block, the same index is
-- another log, until the distributions that had the former one are read again.
create unique index distribution_events_by_log
  on distribution_events (transaction_hash, log_index, block_hash);
create index distribution_events_by_height on distribution_events (distribution_id, block_height);
create index distribution_events_late on distribution_events (distribution_id, place)
  where is_late;
create index distribution_events_by_row on distribution_events (distribution_id, place);

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
  -- When the answer that is stored was asked for: an older one changes nothing.
  asked_at timestamptz,
  -- All that was paid to it is known up to here: up to then, or up to an earlier question where the
  -- gateway was behind its chain.
  known_through timestamptz,
  -- Null where there is nothing to ask about, or no more.
  ask_next_at timestamptz,
  -- The gateway's last word, for people; 'unknown' where it does not know the payment, as after a
  -- change of the account.
  said text,
  unique (gateway, payment_id)
);

create unique index gateway_payments_own on gateway_payments (purchase_id) where is_own;
create unique index gateway_payments_by_address on gateway_payments (address)
  where is_own and address is not null;
create index gateway_payments_by_purchase on gateway_payments (purchase_id);
create index gateway_payments_due on gateway_payments (gateway, ask_next_at)
  where ask_next_at is not null;
-- Of these nobody knows whether they were made, or are paid.
create index gateway_payments_unanswered on gateway_payments (created_at)
  where is_own and (payment_id is null or said = 'unknown') and ask_next_at is not null;

-- What a gateway said it received, as last asked.
create table gateway_deposits (
  gateway text not null,
  transaction_hash text not null,
  output_index integer not null,
  gateway_payment_id bigint not null references gateway_payments (id),
  -- Null where the asset is none of the sale's payment tokens.
  payment_token_id text,
  -- What the gateway calls the asset then.
  asset text,
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
  -- What else it is: `name`, and `token` with `symbol` and `isHeld` for one that anybody can make.
  foreign_asset jsonb,
  amount base_units not null check (amount > 0),
  -- Null while it waits for a block.
  block_height bigint,
  is_gone boolean not null default false,
  sent_at timestamptz not null,
  -- True for what leaves the sale: no payment, whatever its address.
  is_outgoing boolean not null default false,
  revision bigint not null
);

create index sandbox_transfers_by_revision on sandbox_transfers (revision);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct it by a new row', tg_table_name;
end
$$;

do $$
declare
  the_table text;
begin
  foreach the_table in array array[
    'ledger_transfers', 'purchase_status_history', 'operator_marks', 'derived_addresses',
    'payout_psbts', 'refund_payments', 'operator_actions', 'snapshots', 'snapshot_leaves',
    'snapshot_nodes', 'snapshot_owners', 'distribution_rows', 'distribution_nodes',
    'distribution_files', 'distribution_parts', 'sale_files'
  ] loop
    execute format(
      'create trigger append_only before update or delete or truncate on %I '
      'for each statement execute function refuse_change()', the_table
    );
  end loop;
end
$$;
-- A transaction may do something else in the block that takes the place of its first one.
create trigger append_only before delete or truncate on sweep_movements
  for each statement execute function refuse_change();

-- Nobody reserves what they show no sign of paying. What counts as unpaid of a purchase is the part
-- of it that is still due while it waits for its payment: a part payment frees its part alone, so
-- that a cent does not pass for a sign of paying a fortune.
create function unpaid_part(amount numeric, due numeric, crypto_due numeric) returns numeric
language sql immutable as $$
  -- Nothing was paid yet of most, and a booking adds up all that its buyer has open.
  select case when due = crypto_due then amount else ceil(amount * due / crypto_due) end
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

-- Has a function called once after each statement that changes a table in one of these ways. It finds
-- the rows there in before_change, as they were, and in after_change, as they are.
create procedure call_after(the_table text, the_function text, variadic events text[])
language plpgsql as $$
declare
  event text;
begin
  foreach event in array events loop
    execute format(
      'create trigger %I after %s on %I referencing %s %s for each statement execute function %s',
      split_part(the_function, '(', 1) || '_after_' || event, event, the_table,
      case when event <> 'insert' then 'old table as before_change' end,
      case when event <> 'delete' then 'new table as after_change' end,
      the_function
    );
  end loop;
end
$$;

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

call call_after('purchases', 'count_unpaid()', 'update');

-- What the console shows of all purchases, kept as it changes: adding it up would grow with the
-- sale. A purchase counts on the day, in UTC, on which it was credited, and until then on the one on
-- which it was made. Whoever changes purchases holds the counter of their stage, so that these rows
-- are locked in an order too.
create table purchase_sums (
  day date not null,
  payment_token_id text not null,
  status text not null,
  count bigint not null check (count >= 0),
  credited_usd base_units not null,
  primary key (day, payment_token_id, status)
) with (fillfactor = 50);

-- What a sum of purchases gains, or loses where it is negative.
create type purchase_change as (
  day date, payment_token_id text, status text, count bigint, credited_usd numeric
);

-- How many came, and how far: pages that were sent, accounts, users who have bought, and those of
-- them who have paid. A user whose payment was undone is taken off on the day of that.
create table funnel_days (
  step text not null check (step in ('visited', 'registered', 'bought', 'paid')),
  day date not null,
  count bigint not null,
  primary key (step, day)
) with (fillfactor = 50);

create function count_step(the_step text, the_count bigint) returns void language sql as $$
  insert into funnel_days as known (step, day, count)
  select the_step, (now() at time zone 'UTC')::date, the_count where the_count <> 0
  on conflict (step, day) do update set count = known.count + excluded.count
$$;

create function count_new_rows() returns trigger language plpgsql as $$
begin
  perform count_step(tg_argv[0], (select count(*) from after_change));
  return null;
end
$$;

call call_after('users', 'count_new_rows(''registered'')', 'insert');
call call_after('first_purchases', 'count_new_rows(''bought'')', 'insert');

create function counted_day(created_at timestamptz, completed_at timestamptz) returns date
language sql immutable as $$
  select (coalesce(completed_at, created_at) at time zone 'UTC')::date
$$;

create function count_made_purchases() returns trigger language plpgsql as $$
begin
  insert into purchase_sums as known (day, payment_token_id, status, count, credited_usd)
    select counted_day(created_at, completed_at) as day, payment_token_id, status, count(*),
      sum(credited_usd)
    from after_change group by 1, 2, 3 order by 1, 2, 3
    on conflict (day, payment_token_id, status) do update set
      count = known.count + excluded.count,
      credited_usd = known.credited_usd + excluded.credited_usd;
  return null;
end
$$;

create function count_changed_purchases() returns trigger language plpgsql as $$
declare
  -- What each sum gains and loses in all. No join: its plan would be made for the first few rows, and
  -- look at each of a hundred a hundred times.
  changes purchase_change[] := array(
    select row(day, payment_token_id, status, sum(more), sum(more * credited_usd))::purchase_change
    from (
      select counted_day(created_at, completed_at) as day, payment_token_id, status, 1 as more,
        credited_usd::numeric
      from after_change
      union all
      select counted_day(created_at, completed_at), payment_token_id, status, -1,
        credited_usd::numeric
      from before_change
    ) as change
    group by day, payment_token_id, status
    having sum(more) <> 0 or sum(more * credited_usd) <> 0
    order by day, payment_token_id, status
  );
begin
  -- What comes is added before what goes is taken off, so that no sum is ever below zero.
  insert into purchase_sums as known (day, payment_token_id, status, count, credited_usd)
    select day, payment_token_id, status, greatest(count, 0), greatest(credited_usd, 0)
    from unnest(changes) where count > 0 or credited_usd > 0
    on conflict (day, payment_token_id, status) do update set
      count = known.count + excluded.count,
      credited_usd = known.credited_usd + excluded.credited_usd;
  update purchase_sums as known
    set count = known.count - greatest(-gone.count, 0),
      credited_usd = known.credited_usd - greatest(-gone.credited_usd, 0)
    from unnest(changes) as gone
    where (gone.count < 0 or gone.credited_usd < 0)
      and known.day = gone.day and known.payment_token_id = gone.payment_token_id
      and known.status = gone.status;
  perform count_step('paid', (
    select coalesce(sum(case when paid = 0 then -1 else 1 end), 0)::bigint
    from (
      -- By the user alone: an index by status would be taken while few are known to be completed,
      -- and read whole for each user once many are.
      select change.more, (
        select count(*) filter (where status = 'completed') from purchases
        where purchases.user_id = change.user_id
      ) as paid
      from (
        select user_id, sum(more) as more
        from (
          select user_id, 1 as more from after_change where status = 'completed'
          union all
          select user_id, -1 from before_change where status = 'completed'
        ) as completed
        group by user_id having sum(more) <> 0
      ) as change
    ) as payer
    where (paid = 0) <> (paid = more)
  ));
  return null;
end
$$;

call call_after('purchases', 'count_made_purchases()', 'insert');
call call_after('purchases', 'count_changed_purchases()', 'update');

-- The stages and payment tokens that were ever used: a later sale file may not drop them. What is
-- swept uses a token too, since the guard compares it with what came by the token's contract. Looking
-- for them where they were used would grow with the sale, and whoever does it holds the sale.
create table used_parts (
  kind text not null check (kind in ('stage', 'payment_token')),
  id text not null,
  primary key (kind, id)
);

create function note_used_stages() returns trigger language plpgsql as $$
begin
  insert into used_parts (kind, id) select distinct 'stage', stage_id from after_change order by 2
    on conflict do nothing;
  return null;
end
$$;

-- A stage that was asked and gave nothing is not used.
create function note_granting_stages() returns trigger language plpgsql as $$
begin
  insert into used_parts (kind, id)
    select distinct 'stage', stage_id from after_change where tokens > 0 order by 2
    on conflict do nothing;
  return null;
end
$$;

create function note_used_payment_tokens() returns trigger language plpgsql as $$
begin
  insert into used_parts (kind, id)
    select distinct 'payment_token', payment_token_id from after_change
    where payment_token_id is not null order by 2
    on conflict do nothing;
  return null;
end
$$;

call call_after('purchases', 'note_used_stages()', 'insert');
call call_after('grants', 'note_granting_stages()', 'insert');
call call_after('rewards', 'note_used_stages()', 'insert');
call call_after('purchases', 'note_used_payment_tokens()', 'insert');
call call_after('receipts', 'note_used_payment_tokens()', 'insert');
call call_after('sweep_movements', 'note_used_payment_tokens()', 'insert', 'update');

-- Whatever changes a row that the books are checked by, by hand or by the server, has the guard look
-- at it again. New purchases need no trigger: the rows of their history and of the ledger show them.
create function note_purchases() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into unchecked (kind, subject) select 'purchase', id from before_change;
  else
    insert into unchecked (kind, subject) select 'purchase', id from after_change;
  end if;
  return null;
end
$$;

call call_after('purchases', 'note_purchases()', 'update', 'delete');

create function note_their_purchases() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into unchecked (kind, subject) select distinct 'purchase', purchase_id from before_change;
  end if;
  if tg_op <> 'DELETE' then
    insert into unchecked (kind, subject) select distinct 'purchase', purchase_id from after_change;
  end if;
  return null;
end
$$;

create function note_rewarded_users() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into unchecked (kind, subject)
      select 'user', unnest(array[referee_id, referrer_id]) from before_change;
  end if;
  if tg_op <> 'DELETE' then
    insert into unchecked (kind, subject)
      select 'user', unnest(array[referee_id, referrer_id]) from after_change;
  end if;
  return null;
end
$$;

call call_after('receipts', 'note_their_purchases()', 'insert', 'update', 'delete');
call call_after('refunds_due', 'note_their_purchases()', 'insert', 'update', 'delete');
call call_after('refund_payments', 'note_their_purchases()', 'insert', 'update', 'delete');
call call_after('foreign_transfers', 'note_their_purchases()', 'update');
call call_after('refund_claim_parts', 'note_their_purchases()', 'insert', 'update');
call call_after('rewards', 'note_rewarded_users()', 'insert', 'update', 'delete');

create function note_wallet_owners() returns trigger language plpgsql as $$
begin
  insert into unchecked (kind, subject) select 'user', user_id from after_change;
  return null;
end
$$;

call call_after('receiving_wallets', 'note_wallet_owners()', 'insert');

create function note_lost_mail() returns trigger language plpgsql as $$
begin
  insert into unchecked (kind, subject) values ('purchase', old.params ->> 'purchase_id');
  return null;
end
$$;

create trigger note_deleted after delete on outbox_mails
  for each row when (old.unique_key like 'purchase_created:%') execute function note_lost_mail();
create trigger note_changed after update on outbox_mails
  for each row when (
    old.unique_key like 'purchase_created:%' and old.unique_key is distinct from new.unique_key
  )
  execute function note_lost_mail();

-- Where other software hears what happens in the sale (Standard Webhooks 1.0).
create table webhook_endpoints (
  id uuid primary key,
  url text not null check (length(url) between 1 and 2000),
  description text not null check (length(description) <= 200),
  -- The types of events that it wants.
  events text[] not null check (cardinality(events) > 0),
  -- Encrypted with a key made from the server's secret, bound to the endpoint's id.
  sealed_secret bytea not null,
  -- The secret before that one signs too, until the receiver has the new one.
  sealed_former_secret bytea,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  last_delivered_at timestamptz,
  -- Since when an event was given up and none has arrived.
  failing_since timestamptz,
  disabled_at timestamptz,
  -- By a person, or by the receiver itself, which answered that it is gone.
  disabled_by text check (disabled_by in ('operator', 'receiver')),
  ended_at timestamptz,
  check ((disabled_at is null) = (disabled_by is null)),
  check ((sealed_former_secret is null) = (former_secret_until is null))
);

-- What happened, written by the transaction that did it, where an endpoint wants it.
create table webhook_events (
  id bigint generated always as identity primary key,
  -- By which a receiver knows an event that comes twice.
  message_id uuid not null unique default gen_random_uuid(),
  type text not null,
  -- What it is about: events of one subject go out in their order. Null: in any order.
  subject text,
  -- Ids and a status; whoever wants more asks for it.
  data jsonb not null,
  at timestamptz not null
);

create index webhook_events_by_time on webhook_events (at);

-- One event on its way to one endpoint.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null references webhook_endpoints (id),
  event_id bigint not null references webhook_events (id) on delete cascade,
  subject text,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0,
  -- Null: at once.
  next_attempt_at timestamptz,
  -- While an instance is sending it, until when no other may.
  claimed_until timestamptz,
  claimed_by uuid,
  last_attempt_at timestamptz,
  -- What was answered last; null where there was no answer.
  last_status integer,
  last_fault text,
  delivered_at timestamptz,
  unique (endpoint_id, event_id),
  check (claimed_until is null or claimed_by is not null),
  check ((state = 'delivered') = (delivered_at is not null))
);

create index webhook_deliveries_due
  on webhook_deliveries (endpoint_id, coalesce(next_attempt_at, '-infinity'), id)
  where state = 'waiting';
create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, subject, id)
  where state = 'waiting';
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_by_event on webhook_deliveries (event_id);

-- Stages that were on sale, each since it was first noticed: by the clock alone, nothing is written
-- when one opens.
create table stage_openings (
  stage_id text primary key,
  at timestamptz not null
);

-- Asked before an event is written, so that a sale without endpoints pays for this look alone.
create function is_webhook_wanted(variadic types text[]) returns boolean
language sql stable as $$
  select exists (
    select from webhook_endpoints
    where ended_at is null and disabled_at is null and events && types
  )
$$;

create function queue_webhooks() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (endpoint_id, event_id, subject)
    select endpoint.id, event.id, event.subject
    from after_change as event
    join webhook_endpoints as endpoint on event.type = any (endpoint.events)
    where endpoint.ended_at is null and endpoint.disabled_at is null
    order by event.id;
  return null;
end
$$;

call call_after('webhook_events', 'queue_webhooks()', 'insert');

-- A purchase that waits again, because the chain took its payment back, is not a new one.
create function announce_statuses() returns trigger language plpgsql as $$
begin
  if not is_webhook_wanted(
    'purchase.created', 'purchase.pending', 'purchase.processing', 'purchase.completed',
    'purchase.failed', 'purchase.expired'
  ) then
    return null;
  end if;
  insert into webhook_events (type, subject, data, at)
    select type, purchase_id, jsonb_build_object('purchase_id', purchase_id, 'status', status), at
    from (
      select *, 'purchase.' || case
        when status = 'pending' and not exists (
          select from purchase_status_history as earlier
          where earlier.purchase_id = after_change.purchase_id and earlier.id < after_change.id
        ) then 'created'
        else status
      end as type
      from after_change
    ) as entry
    where is_webhook_wanted(type)
    order by id;
  return null;
end
$$;

call call_after('purchase_status_history', 'announce_statuses()', 'insert');

create function announce_approvals() returns trigger language plpgsql as $$
begin
  if not is_webhook_wanted('approval.waiting') then return null; end if;
  insert into webhook_events (type, subject, data, at)
    select 'approval.waiting', id, jsonb_build_object('approval_id', id, 'status', 'waiting'),
      asked_at
    from after_change;
  return null;
end
$$;

call call_after('approvals', 'announce_approvals()', 'insert');

create function announce_refunds_owed() returns trigger language plpgsql as $$
begin
  if not is_webhook_wanted('refund.owed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, subject, data, at)
      select 'refund.owed', purchase_id, jsonb_build_object(
        'receipt_id', receipt_id, 'purchase_id', purchase_id, 'status', 'open'
      -- What was promised to a claim that was rejected has been owed for long, and is owed anew.
      ), greatest(since, now())
      from after_change;
  else
    -- Of what is written anew without another amount nobody needs to hear.
    insert into webhook_events (type, subject, data, at)
      select 'refund.owed', after_change.purchase_id, jsonb_build_object(
        'receipt_id', receipt_id, 'purchase_id', after_change.purchase_id, 'status', 'open'
      ), now()
      from after_change join before_change using (receipt_id)
      where after_change.amount <> before_change.amount;
  end if;
  return null;
end
$$;

call call_after('refunds_due', 'announce_refunds_owed()', 'insert', 'update');

create function announce_refunds_paid() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('refund.paid') then
    insert into webhook_events (type, subject, data, at)
      select 'refund.paid', purchase_id, jsonb_build_object(
        'receipt_id', receipt_id, 'purchase_id', purchase_id, 'status', 'paid'
      ), paid_at
      from after_change order by id;
  end if;
  return null;
end
$$;

call call_after('refund_payments', 'announce_refunds_paid()', 'insert');

create function announce_refund_claims() returns trigger language plpgsql as $$
begin
  if not is_webhook_wanted(
    'refund_claim.claimed', 'refund_claim.approved', 'refund_claim.confirmed'
  ) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, subject, data, at)
      select 'refund_claim.claimed', id, jsonb_build_object('claim_id', id, 'status', state),
        claimed_at
      from after_change
      where is_webhook_wanted('refund_claim.claimed');
  else
    -- One that left a batch is approved as before.
    insert into webhook_events (type, subject, data, at)
      select 'refund_claim.' || claim.state, claim.id,
        jsonb_build_object('claim_id', claim.id, 'status', claim.state),
        coalesce(claim.closed_at, claim.approved_at)
      from after_change as claim join before_change as former on former.id = claim.id
      where (former.state = 'claimed' and claim.state = 'approved'
          or former.state <> 'confirmed' and claim.state = 'confirmed')
        and is_webhook_wanted('refund_claim.' || claim.state)
      order by claim.id;
  end if;
  return null;
end
$$;

call call_after('refund_claims', 'announce_refund_claims()', 'insert', 'update');

create function announce_users() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('user.registered') then
    insert into webhook_events (type, subject, data, at)
      select 'user.registered', id, jsonb_build_object('user_id', id, 'status', 'registered'),
        created_at
      from after_change;
  end if;
  return null;
end
$$;

call call_after('users', 'announce_users()', 'insert');

create function announce_pause() returns trigger language plpgsql as $$
begin
  insert into webhook_events (type, subject, data, at)
    select type, 'sale', jsonb_build_object('status', split_part(type, '.', 2)), now()
    from (
      select case when new.paused_at is null then 'sale.resumed' else 'sale.paused' end as type
    ) as happened
    where is_webhook_wanted(type);
  return null;
end
$$;

create trigger announce after update on sale
  for each row when ((old.paused_at is null) <> (new.paused_at is null)) execute function announce_pause();

create function announce_stage() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('stage.' || tg_argv[0]) then
    insert into webhook_events (type, subject, data, at) values (
      'stage.' || tg_argv[0], 'sale',
      jsonb_build_object('stage_id', new.stage_id, 'status', tg_argv[0]), now()
    );
  end if;
  return null;
end
$$;

create trigger announce after insert on stage_openings
  for each row execute function announce_stage('opened');
create trigger announce after update on stage_counters
  for each row when (old.sold_out_at is null and new.sold_out_at is not null)
  execute function announce_stage('sold_out');

-- Starts a session of a user whose password was just checked, remembers where it was started from and
-- writes the mail about a new place, in one statement. Answers started, wrong_credentials (the password
-- was changed meanwhile, or the user erased) or two_factor_required (it is on, and was not proved).
--
-- The user is held first, and each statement in here sees what was committed before it began: whoever
-- changes logins holds the user too, so nothing of it is overlooked.
create function start_session(
  the_id uuid,
  the_user uuid,
  the_password_hash text,
  is_proved boolean,
  salt bytea,
  generation integer,
  access_token_hash bytea,
  access_expires_at timestamptz,
  refresh_token_hash bytea,
  refresh_expires_at timestamptz,
  started_at timestamptz,
  user_agent text,
  address text,
  the_place bytea,
  the_network bytea,
  -- Only so many places stay, the most recently used ones.
  places_max integer
) returns text
language plpgsql
-- As for create_purchases.
set enable_seqscan = off
as $$
declare
  is_new_place boolean;
begin
  perform from users
  where id = the_user and password_hash = the_password_hash and erased_at is null
  for share;
  if not found then
    return 'wrong_credentials';
  end if;
  if not is_proved and exists (
    select from two_factors where account_id = the_user and confirmed_at is not null
  ) then
    return 'two_factor_required';
  end if;
  insert into sessions (
    id, user_id, salt, generation, access_token_hash, access_expires_at, refresh_token_hash,
    refresh_expires_at, started_at, last_used_at, user_agent, address
  ) values (
    the_id, the_user, salt, generation, access_token_hash, access_expires_at, refresh_token_hash,
    refresh_expires_at, started_at, started_at, user_agent, address
  );
  insert into login_places (user_id, place_hash, network_hash, first_used_at, last_used_at)
  values (the_user, the_place, the_network, started_at, started_at)
  on conflict (user_id, place_hash) do update set last_used_at = excluded.last_used_at
  -- Only a row that was there before was updated by a transaction.
  returning xmax = 0 into is_new_place;
  if is_new_place then
    delete from login_places
    where user_id = the_user and place_hash in (
      select place_hash from login_places where user_id = the_user and place_hash <> the_place
      order by last_used_at desc offset places_max - 1
    );
    insert into outbox_mails (user_id, kind, params, unique_key, created_at)
    select the_user, 'new_login', jsonb_build_object('session_id', the_id),
      'new_login:' || the_id, started_at
    -- Where an account is made, in the transaction that starts its first session, no place is new.
    where not exists (
        select from users where id = the_user and xmin = pg_current_xact_id()::xid
      )
      -- Whoever has registered with a stranger's address must not flood it.
      and (
        select count(*) from outbox_mails
        where user_id = the_user and kind = 'new_login'
          and created_at > started_at - interval '1 day'
      ) < 10;
  end if;
  return 'started';
end
$$;

-- What a user has open and unpaid, and how often they let a purchase expire, or withdrew from it
-- unpaid, since they last paid for one. More lapses than 32 change nothing any more.
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
      min(grace_ends_at) as expires_at
    from purchases where user_id = the_user and status = 'pending'
  ) as open,
  (
    select count(*) as count, max(lapse.ended_at) as at
    from (
      select least(purchases.expires_at, reversed_at) as ended_at from purchases
      where user_id = the_user
        and (
          status = 'expired' and status_reason is distinct from 'late'
            and status_reason is distinct from 'wrong_asset'
          or status = 'failed' and status_reason in ('underpaid', 'withdrawn')
          or status = 'processing' and status_reason = 'underpaid' and held * 2 < reserved
        )
        -- Whoever withdraws from what they have paid lets nothing expire. Crumbs are no payment.
        and (
          status_reason is distinct from 'withdrawn'
          or not exists (
            select from receipts where purchase_id = purchases.id and not is_gone
            group by receipts.payment_token_id
            having receipts.payment_token_id is distinct from purchases.payment_token_id
              or sum(receipts.amount) * usd >= least(min_usd, usd) * crypto_due
          )
        )
        and created_at > coalesce(
          (
            select max(coalesce(completed_at, 'infinity')) from purchases
            where user_id = the_user and (
              status = 'completed' or status = 'processing'
                and (status_reason is distinct from 'underpaid' or held * 2 >= reserved)
            )
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
  select coalesce(sum(unpaid_part(usd, due, crypto_due)), 0), min(grace_ends_at)
  from purchases where connection_hash = the_connection
$$;

-- Makes all purchases of a batch that there is room for, in the batch's order, in one statement.
--
-- What differs between the purchases of a batch comes as one array for each column, which is read
-- several times as fast as rows of JSON: those of `purchases`, what they are judged by, and at last
-- the bounds of what may be reserved and not paid. Documents that many purchases share come once, in
-- `documents`, and the arrays have their places there, counted from 0. What is the same for every new
-- purchase is a default of its table, or stands below.
--
-- Each purchase has its own outcome, so that one bad one never fails its neighbours:
--   created, no_account (the buyer's was erased meanwhile), repeated (the key was used for this same
--   purchase), key_reused (for another one), paused, sale_changed (another sale file was applied
--   since it was quoted), market_moved (the stage is over, its price is another one, or it was quoted
--   more than a minute ago), too_many_open, no_room, lapsed (so many purchases were not paid that the
--   next one has to wait), user_worth, connection_worth, unpaid_share.
-- Where the price of any is another one, nothing is made and all are market_moved: the caller quotes
-- them again while it holds the lock, and asks once more.
--
-- The sale's row is locked first and the stage's counter next. From then on every earlier purchase
-- is visible and no other can be made, so that what is judged below holds until the end. Two
-- purchases of one user in a batch would each be judged without the other; there the primary key of
-- first_purchases refuses the whole batch.
create function create_purchases(
  the_stage text,
  -- The accounts between which the stage's ledger moves what is reserved.
  available_account text,
  reserved_account text,
  documents jsonb,
  ids uuid[],
  user_ids uuid[],
  idempotency_keys text[],
  request_fingerprints text[],
  payment_token_ids text[],
  rails text[],
  chains text[],
  addresses text[],
  payment_ids text[],
  derivation_indexes bigint[],
  usds numeric[],
  token_prices numeric[],
  token_decimals integer[],
  crypto_prices numeric[],
  price_sources integer[],
  crypto_decimals integer[],
  crypto_dues numeric[],
  -- Where it is not the user's first purchase, and where it is.
  reserves numeric[],
  first_reserves numeric[],
  locked_bonuses integer[],
  first_locked_bonuses integer[],
  min_usds numeric[],
  rail_min_usds numeric[],
  max_usds numeric[],
  required_confirmations integer[],
  terms_dates text[],
  withdrawable_untils timestamptz[],
  created_ats timestamptz[],
  expires_ats timestamptz[],
  grace_ends_ats timestamptz[],
  connection_hashes bytea[],
  -- The sale file that each was quoted by.
  sale_file_ids bigint[],
  -- How many unpaid purchases a user may have; half as many after each lapse.
  open_maxs integer[],
  -- How many unpaid dollars; null where there is no bound.
  user_worth_maxs numeric[],
  connection_worth_maxs numeric[],
  -- How many millionths of what is left of the stage may be unpaid.
  unpaid_shares numeric[],
  -- How many tokens may be unpaid whatever that share is, so that a last remainder can be bought
  -- beside a small purchase of somebody else.
  share_mins numeric[],
  out outcomes text[],
  -- Of the purchase that was made, now or when the key was first used.
  out purchase_ids uuid[],
  out firsts boolean[],
  -- The stage's counter as it stands behind the batch.
  out stage_reserved numeric,
  out stage_sold numeric,
  out stage_unpaid numeric,
  out stage_token_price numeric
)
language plpgsql
-- The plans are made while the tables are still empty and then kept: without this they would read
-- whole tables, which is right for an empty one and hundreds of times too slow a day later.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- For one purchase a plan of its own looks cheaper each time, and costs more to make than it saves.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  is_sale_paused boolean;
  the_sale_file bigint;
  counter stage_counters;
  room numeric;
  -- What is neither sold nor paid for.
  unpaid_room numeric;
  taken numeric := 0;
  request record;
  wanted numeric;
  verdict text;
  told bigint;
  -- What the purchases of this batch add to the unpaid dollars of their connections.
  connections bytea[] := '{}';
  connection_usds numeric[] := '{}';
  connection_place integer;
  connection_usd numeric;
begin
  select sale.paused_at is not null, sale.file_id into strict is_sale_paused, the_sale_file
  from sale for no key update;
  select * into counter from stage_counters where stage_id = the_stage for no key update;
  if not found then
    if the_sale_file = any (sale_file_ids) then
      raise no_data_found using message = 'There is no such stage: ' || the_stage;
    end if;
    -- The sale that is applied by now has it no more: each is answered so below.
    counter.supply := 0;
    counter.reserved := 0;
    counter.sold := 0;
    counter.unpaid := 0;
    counter.token_price := 0;
  end if;
  room := counter.supply - counter.reserved - counter.sold;
  unpaid_room := room + counter.unpaid;
  stage_reserved := counter.reserved;
  stage_sold := counter.sold;
  stage_unpaid := counter.unpaid;
  stage_token_price := counter.token_price;
  if not is_sale_paused and the_sale_file = all (sale_file_ids)
    and counter.token_price <> any (token_prices)
  then
    outcomes := array_fill('market_moved'::text, array[cardinality(ids)]);
    purchase_ids := ids;
    firsts := array_fill(false, array[cardinality(ids)]);
    return;
  end if;
  outcomes := '{}';
  purchase_ids := '{}';
  firsts := '{}';

  for request in
    select
      each.*, buyer.id is not null as has_account,
      known.id as known_id, known.request_fingerprint as known_fingerprint,
      first.status is null or first.status in ('expired', 'failed') as is_first,
      unpaid.open_count, unpaid.usd as open_usd, unpaid.tokens as open_tokens, unpaid.lapses,
      -- From the third lapse on the next purchase waits, longer with each and a day at most.
      unpaid.lapses >= 3 and each.created_at < unpaid.lapsed_at + least(
        (each.expires_at - each.created_at) * (unpaid.lapses - 2), interval '1 day'
      ) as has_to_wait,
      connected.usd as connection_usd
    from unnest(
      ids, user_ids, idempotency_keys, request_fingerprints, usds, token_prices, reserves,
      first_reserves, created_ats, expires_ats, connection_hashes, sale_file_ids, open_maxs,
      user_worth_maxs, connection_worth_maxs, unpaid_shares, share_mins
    ) with ordinality as each (
      id, user_id, idempotency_key, fingerprint, usd, token_price, reserved,
      first_reserved, created_at, expires_at, connection_hash, sale_file_id, open_max,
      user_worth_max, connection_worth_max, unpaid_share, share_min, place
    )
    left join users as buyer on buyer.id = each.user_id and buyer.erased_at is null
    left join purchases as known
      on known.user_id = each.user_id and known.idempotency_key = each.idempotency_key
    left join first_purchases on first_purchases.user_id = each.user_id
    left join purchases as first on first.id = first_purchases.purchase_id
    cross join lateral unpaid_of_user(each.user_id, the_stage) as unpaid
    left join lateral unpaid_of_connection(each.connection_hash) as connected
      on each.connection_hash is not null and each.connection_worth_max is not null
    order by each.place
  loop
    wanted := case when request.is_first then request.first_reserved else request.reserved end;
    connection_usd := coalesce(request.connection_usd, 0);
    connection_place := array_position(connections, request.connection_hash);
    if connection_place is not null then
      connection_usd := connection_usd + connection_usds[connection_place];
    end if;
    verdict := case
      when not request.has_account then 'no_account'
      when request.known_fingerprint = request.fingerprint then 'repeated'
      when request.known_id is not null then 'key_reused'
      when is_sale_paused then 'paused'
      when request.sale_file_id is distinct from the_sale_file then 'sale_changed'
      when counter.sold = counter.supply then 'market_moved'
      when request.token_price <> counter.token_price then 'market_moved'
      -- A machine that was suspended lives in the past, where old prices are new.
      when request.created_at < clock_timestamp() - interval '1 minute' then 'market_moved'
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
      if connection_place is not null then
        connection_usds[connection_place] := connection_usds[connection_place] + request.usd;
      elsif request.connection_hash is not null then
        connections := connections || request.connection_hash;
        connection_usds := connection_usds || request.usd;
      end if;
    end if;
    outcomes := outcomes || verdict;
    purchase_ids := purchase_ids || coalesce(request.known_id, request.id);
    firsts := firsts || request.is_first;
  end loop;

  -- Not "taken > 0": whoever is told that a purchase was created must find it in the table.
  if 'created' = any (outcomes) then
    with made as materialized (
      select each.*, case when is_first then first_reserved else not_first_reserved end as reserved
      from unnest(
        ids, user_ids, idempotency_keys, request_fingerprints, payment_token_ids, rails, chains,
        addresses, payment_ids, derivation_indexes, usds, token_prices, token_decimals,
        crypto_prices, price_sources, crypto_decimals, crypto_dues, reserves, first_reserves,
        locked_bonuses, first_locked_bonuses, min_usds, rail_min_usds, max_usds,
        required_confirmations, terms_dates, withdrawable_untils, created_ats, expires_ats, grace_ends_ats,
        connection_hashes, outcomes, firsts
      ) with ordinality as each (
        id, user_id, idempotency_key, request_fingerprint, payment_token_id, rail, chain,
        address, payment_id, derivation_index, usd, token_price, token_decimals,
        crypto_price, price_sources, crypto_decimals, crypto_due, not_first_reserved,
        first_reserved, locked_bonuses, first_locked_bonuses, min_usd, rail_min_usd, max_usd,
        required_confirmations, terms_date, withdrawable_until, created_at, expires_at,
        grace_ends_at,
        connection_hash, outcome, is_first, place
      )
      where each.outcome = 'created'
    ), purchased as (
      insert into purchases (
        id, user_id, idempotency_key, request_fingerprint, stage_id, payment_token_id, rail, chain,
        address, payment_id, derivation_index, usd, token_price, token_decimals, crypto_price,
        price_sources, crypto_decimals, crypto_due, reserved, locked_bonuses, min_usd,
        rail_min_usd, max_usd, required_confirmations, terms_date, withdrawable_until, created_at, expires_at,
        grace_ends_at, connection_hash,
        status, held, reservation_left, due
      )
      select
        id, user_id, idempotency_key, request_fingerprint, the_stage, payment_token_id, rail, chain,
        address, payment_id, derivation_index, usd, token_price, token_decimals, crypto_price,
        documents -> made.price_sources, crypto_decimals, crypto_due, reserved,
        documents -> case when is_first then made.first_locked_bonuses else made.locked_bonuses end,
        min_usd, rail_min_usd, max_usd, required_confirmations, terms_date, withdrawable_until,
        created_at,
        expires_at, grace_ends_at,
        connection_hash, 'pending', reserved, reserved, crypto_due
      from made
    ), begun as (
      insert into first_purchases (user_id, purchase_id) select user_id, id from made where is_first
      on conflict (user_id) do update set purchase_id = excluded.purchase_id
    ), noted as (
      insert into purchase_status_history (purchase_id, status, at)
      select id, 'pending', created_at from made
    ), moved as (
      insert into ledger_transfers (cause_id, source, destination, asset, amount, at)
      select id, available_account, reserved_account, 'token', reserved, created_at from made
    ), mailed as (
      insert into outbox_mails (user_id, kind, params, unique_key, created_at)
      select
        user_id, 'purchase_created', jsonb_build_object('purchase_id', id),
        'purchase_created:' || id, created_at
      from made
    ), counted as (
      update stage_counters
      set reserved = counter.reserved + taken, unpaid = counter.unpaid + taken
      where stage_id = the_stage
    )
    -- A payload has less than 8,000 bytes, which is 50 changes.
    select count(pg_notify('live', payload.changes)) into strict told from (
      select json_agg(
        json_build_object('kind', 'purchase', 'userId', user_id, 'transactionId', id)
      )::text as changes
      from made group by (place - 1) / 50
    ) as payload;
  end if;

  stage_reserved := counter.reserved + taken;
  stage_unpaid := counter.unpaid + taken;
end
$$;
