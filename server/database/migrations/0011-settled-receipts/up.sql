-- What of each receipt the last settlement of its purchase has taken into account: null where it
-- found none on the chain, or there was no settlement since it came. Settling alone writes these, and
-- the trigger below.
alter table receipts
  add column settled_amount base_units,
  add column settled_confirmations integer check (settled_confirmations >= 0),
  add check ((settled_amount is null) = (settled_confirmations is null));

update receipts set settled_amount = amount, settled_confirmations = confirmations
  where not is_gone;

-- An instance of an earlier version derives outcomes too, and writes none of these. It takes the
-- note that a purchase is due, as all do, and whoever changes a receipt waits for that note: so at
-- the end of the transaction each receipt is as it was when the outcome was derived from it.
create function mark_settled_receipts() returns trigger language plpgsql as $$
begin
  update receipts set
      settled_amount = case when not is_gone then amount end,
      settled_confirmations = case when not is_gone then confirmations end
    where purchase_id = old.purchase_id
      and (settled_amount, settled_confirmations) is distinct from (
        case when not is_gone then amount end, case when not is_gone then confirmations end
      );
  return null;
end
$$;

create constraint trigger mark_settled_receipts after delete on settlements_due
  deferrable initially deferred for each row execute function mark_settled_receipts();
