-- Which taking of a mail holds it until `claimed_until`. Whoever took it marks and renews it by
-- this alone, so that one that was overtaken notices.
alter table outbox_mails add column claimed_by uuid;
update outbox_mails set claimed_by = gen_random_uuid() where claimed_until is not null;
alter table outbox_mails add constraint outbox_mails_claim_has_owner
  check (claimed_until is null or claimed_by is not null);
