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

create trigger append_only before update or delete or truncate on derived_addresses
  for each statement execute function refuse_change();

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

-- An index is used once under its key, which derived_addresses holds; a rail may have several keys.
alter table purchases drop constraint purchases_rail_derivation_index_key;

-- What a reorganisation may have taken away.
create index receipts_by_height on receipts (chain, block_height) where not is_gone;
