set local role svc_owner;

create or replace trigger forget_suspended_row after update of status on app.products
  for each row when (old.status = 'listed' and new.status <> 'listed') execute function app.forget_suspended_row();

create or replace trigger forget_suspended_row_deleted after delete on app.products
  for each row when (old.status = 'listed') execute function app.forget_suspended_row();

create or replace trigger guard_product before insert or update on app.products
  for each row execute function app.guard_product();

create or replace trigger guard_product_delete before delete on app.products
  for each row execute function app.guard_product_delete();

create or replace trigger guard_truncate before truncate on app.products
  for each statement execute function app.guard_truncate();

create or replace trigger note_media after insert or update of image on app.products
  for each row execute function app.note_product_media();

create or replace trigger refuse_suspended_insert before insert on app.products
  for each row execute function app.refuse_suspended();

create or replace trigger refuse_suspended_update before update on app.products
  for each row when (new.revision > old.revision) execute function app.refuse_suspended();

-- A listing its writer withdraws keeps its reports: they are shown again when it is.
create or replace trigger settle_reports after update on app.products
  for each row when (old.withheld is null and new.withheld is not null)
  execute function app.settle_product_reports();

-- Also where a replica or a restore applies changes.
alter table app.products
  enable always trigger forget_suspended_row,
  enable always trigger forget_suspended_row_deleted,
  enable always trigger guard_product,
  enable always trigger guard_product_delete,
  enable always trigger guard_truncate,
  enable always trigger note_media,
  enable always trigger refuse_suspended_insert,
  enable always trigger refuse_suspended_update,
  enable always trigger settle_reports;
