-- What of each receipt the last settlement of its purchase has taken into account: null where it
-- found none on the chain, or there was no settlement since it came. Settling alone writes these.
alter table receipts
  add column settled_amount base_units,
  add column settled_confirmations integer check (settled_confirmations >= 0),
  add check ((settled_amount is null) = (settled_confirmations is null));

update receipts set settled_amount = amount, settled_confirmations = confirmations
  where not is_gone;
