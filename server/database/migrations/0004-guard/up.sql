-- Why the sale is paused and since when; both null while it is not, or where somebody paused it by
-- hand and gave no reason.
alter table sale
  add column pause_reason text,
  add column paused_at timestamptz,
  -- Breaches that an operator has resumed the sale in spite of: they do not pause it again.
  add column accepted_breaches jsonb not null default '[]';

-- When all of a stage was first sold. A stage that sells out before its end opens the next one at
-- once, for good; one that sells out after it, by a late settlement, opens nothing.
alter table stage_counters add column sold_out_at timestamptz;

-- A purchase that waits for confirmations is looked at again as its time ends.
create index purchases_expiring_processing on purchases (expires_at)
  where status = 'processing' and completed_at is null;

-- What the last check of the invariants found.
create table invariant_checks (
  id smallint primary key default 1 check (id = 1),
  checked_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  breaches jsonb not null,
  not_run jsonb not null
);
