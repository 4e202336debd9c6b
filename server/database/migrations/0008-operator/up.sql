-- Since when an amount is owed: settling writes the list anew and keeps this.
alter table refunds_due add column since timestamptz;
update refunds_due set since = receipts.seen_at
  from receipts where receipts.id = refunds_due.receipt_id;
alter table refunds_due alter column since set not null;

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

create trigger append_only before update or delete or truncate on refund_payments
  for each statement execute function refuse_change();

-- Why an operator held, released or failed a purchase.
alter table operator_marks add column reason text check (length(reason) between 1 and 500);

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

create trigger append_only before update or delete or truncate on operator_actions
  for each statement execute function refuse_change();
