set local role svc_owner;

create or replace trigger check_cover_insert after insert on app.pieces
  for each row when (new.fields ? 'cover') execute function app.check_cover();

create or replace trigger check_cover_update after update of fields on app.pieces
  for each row when (new.fields ? 'cover' and new.fields #> '{cover,hash}' is distinct from old.fields #> '{cover,hash}')
  execute function app.check_cover();

create or replace trigger check_original_insert after insert on app.pieces
  for each row when (new.fields ? 'translation_of') execute function app.check_original();

create or replace trigger check_original_update after update of fields on app.pieces
  for each row
  when (new.fields ? 'translation_of' and new.fields -> 'translation_of' is distinct from old.fields -> 'translation_of')
  execute function app.check_original();

create or replace trigger forget_co_authors after delete on app.pieces
  for each row execute function app.forget_co_authors();

create or replace trigger forget_original after delete on app.pieces
  for each row execute function app.forget_original();

create or replace trigger forget_suspended_row after update of editor_status on app.pieces
  for each row when (old.editor_status = 'approved' and new.editor_status <> 'approved')
  execute function app.forget_suspended_row();

create or replace trigger forget_suspended_row_deleted after delete on app.pieces
  for each row when (old.editor_status = 'approved') execute function app.forget_suspended_row();

create or replace trigger guard_delete before delete on app.pieces
  for each row execute function app.guard_delete();

create or replace trigger guard_status before insert or update on app.pieces
  for each row execute function app.guard_status();

create or replace trigger guard_truncate before truncate on app.pieces
  for each statement execute function app.guard_truncate();

create or replace trigger keep_revision after update on app.pieces
  for each row when (old.revision is distinct from new.revision) execute function app.keep_revision();

create or replace trigger note_media after insert or update of body_md, fields on app.pieces
  for each row when (new.body_md like '%/media/%' or new.fields ? 'cover') execute function app.note_media();

create or replace trigger order_delivery after update of editor_status on app.pieces
  for each row when (new.editor_status = 'approved' and old.editor_status <> 'approved')
  execute function app.order_delivery();

-- The revision is counted by guard_status and guard_product, which come first by their names.
create or replace trigger refuse_suspended_insert before insert on app.pieces
  for each row execute function app.refuse_suspended();

create or replace trigger refuse_suspended_update before update on app.pieces
  for each row when (new.revision > old.revision) execute function app.refuse_suspended();

-- A piece its writer unpublishes keeps its reports: they are shown again when it is.
create or replace trigger settle_reports after update on app.pieces
  for each row
  when (old.editor_status = 'approved' and new.editor_status in ('changes_requested', 'rejected'))
  execute function app.settle_reports();

create or replace trigger void_schedule after update on app.pieces
  for each row
  when ((old.revision, old.slug, old.deleted_at, old.editor_status, old.review_required, old.fields)
        is distinct from
        (new.revision, new.slug, new.deleted_at, new.editor_status, new.review_required, new.fields))
  execute function app.void_schedule();

-- Also where a replica or a restore applies changes.
alter table app.pieces
  enable always trigger forget_co_authors,
  enable always trigger forget_original,
  enable always trigger forget_suspended_row,
  enable always trigger forget_suspended_row_deleted,
  enable always trigger guard_delete,
  enable always trigger guard_status,
  enable always trigger guard_truncate,
  enable always trigger keep_revision,
  enable always trigger note_media,
  enable always trigger order_delivery,
  enable always trigger refuse_suspended_insert,
  enable always trigger refuse_suspended_update,
  enable always trigger settle_reports,
  enable always trigger void_schedule;
