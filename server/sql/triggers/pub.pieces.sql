set local role svc_owner;

create or replace trigger cancel_deliveries after delete on pub.pieces referencing old table as gone
  for each statement execute function app.cancel_deliveries();

create or replace trigger guard_public before insert or delete or update or truncate on pub.pieces
  for each statement execute function app.guard_public();

create or replace trigger keep_agreed before insert or update of translation_of on pub.pieces
  for each row when (new.translation_of is not null) execute function app.keep_agreed();

create or replace trigger withdraw_receipts after delete on pub.pieces referencing old table as gone
  for each statement execute function app.withdraw_receipts();

-- Also where a replica or a restore applies changes.
alter table pub.pieces
  enable always trigger cancel_deliveries,
  enable always trigger guard_public,
  enable always trigger keep_agreed,
  enable always trigger withdraw_receipts;
