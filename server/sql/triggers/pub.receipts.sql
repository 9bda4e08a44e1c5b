set local role svc_owner;

create or replace trigger guard_public before insert or delete or update or truncate on pub.receipts
  for each statement execute function app.guard_public();

drop trigger if exists guard_receipt on pub.receipts;
create constraint trigger guard_receipt after insert or update on pub.receipts deferrable initially deferred
  for each row execute function app.guard_receipt();

create or replace trigger refuse_withdrawn_name before insert on pub.receipts
  for each row when (new.receipt ? 'co_authors') execute function app.refuse_withdrawn_name();

-- Also where a replica or a restore applies changes.
alter table pub.receipts
  enable always trigger guard_public,
  enable always trigger guard_receipt,
  enable always trigger refuse_withdrawn_name;
