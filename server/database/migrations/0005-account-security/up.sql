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

-- Where the session was last refreshed from, as its user is shown it.
alter table sessions add column address text;
-- When the token before the last used one was used: three tabs may race as well as two.
alter table sessions add column previously_refreshed_at timestamptz;
