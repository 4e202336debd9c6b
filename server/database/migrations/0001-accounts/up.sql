create table users (
  id uuid primary key,
  -- Normalised by normalizeEmail, so that two spellings are one account.
  email text not null unique check (email = lower(email) and length(email) <= 254),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  nationality text not null check (nationality ~ '^[A-Z]{2}$'),
  mobile text,
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
  started_at timestamptz not null,
  last_used_at timestamptz not null,
  user_agent text not null,
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
  sent_at timestamptz,
  -- Given up: it came to nothing for days, or had nothing left to say.
  dropped_at timestamptz,
  last_fault text,
  -- What was sent, kept by a sandbox alone: it is the sandbox's mailbox.
  recipient text,
  subject text,
  body_text text,
  body_html text
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
