set local role svc_owner;

create or replace trigger announce_pieces after insert on pub.pieces referencing new table as shown
  for each statement execute function app.announce_pieces();

create or replace trigger await_related after insert on pub.pieces referencing new table as shown
  for each statement execute function app.await_related();

create or replace trigger cancel_deliveries after delete on pub.pieces referencing old table as gone
  for each statement execute function app.cancel_deliveries();

create or replace trigger file_changed after update on pub.pieces referencing old table as gone new table as come
  for each statement execute function app.file_topics();

create or replace trigger file_gone after delete on pub.pieces referencing old table as gone
  for each statement execute function app.file_topics();

create or replace trigger file_new after insert on pub.pieces referencing new table as come
  for each statement execute function app.file_topics();

create or replace trigger forget_related after delete on pub.pieces referencing old table as gone
  for each statement execute function app.forget_related();

create or replace trigger guard_public before insert or delete or update or truncate on pub.pieces
  for each statement execute function app.guard_public();

create or replace trigger keep_agreed before insert or update of translation_of on pub.pieces
  for each row when (new.translation_of is not null) execute function app.keep_agreed();

create or replace trigger keep_co_authors before insert or update of co_authors on pub.pieces
  for each row execute function app.keep_co_authors();

create or replace trigger leave_series after delete on pub.pieces referencing old table as gone
  for each statement execute function app.leave_series();

create or replace trigger list_co_authors_changed after update on pub.pieces
  for each row when (old.co_authors is distinct from new.co_authors
                     or (new.co_authors is not null
                         and (old.category, old.locale, old.published_at)
                             is distinct from (new.category, new.locale, new.published_at)))
  execute function app.list_co_authors();

create or replace trigger list_co_authors_gone after delete on pub.pieces
  for each row when (old.co_authors is not null) execute function app.list_co_authors();

create or replace trigger list_co_authors_new after insert on pub.pieces
  for each row when (new.co_authors is not null) execute function app.list_co_authors();

create or replace trigger note_feeds_changed after update on pub.pieces referencing old table as gone new table as come
  for each statement execute function app.note_feed_changes();

create or replace trigger note_feeds_gone after delete on pub.pieces referencing old table as gone
  for each statement execute function app.note_feed_changes();

create or replace trigger note_feeds_new after insert on pub.pieces referencing new table as come
  for each statement execute function app.note_feed_changes();

create or replace trigger show_in_series after insert on pub.pieces referencing new table as shown
  for each statement execute function app.show_in_series();

create or replace trigger unpin_pieces after delete on pub.pieces referencing old table as gone
  for each statement execute function app.unpin_pieces();

create or replace trigger withdraw_named_receipt after update of co_authors on pub.pieces
  for each row when (old.co_authors is distinct from new.co_authors and not old.co_authors <@ coalesce(new.co_authors, '{}'))
  execute function app.withdraw_named_receipt();

create or replace trigger withdraw_receipts after delete on pub.pieces referencing old table as gone
  for each statement execute function app.withdraw_receipts();

-- Also where a replica or a restore applies changes.
alter table pub.pieces
  enable always trigger announce_pieces,
  enable always trigger await_related,
  enable always trigger cancel_deliveries,
  enable always trigger file_changed,
  enable always trigger file_gone,
  enable always trigger file_new,
  enable always trigger forget_related,
  enable always trigger guard_public,
  enable always trigger keep_agreed,
  enable always trigger keep_co_authors,
  enable always trigger leave_series,
  enable always trigger list_co_authors_changed,
  enable always trigger list_co_authors_gone,
  enable always trigger list_co_authors_new,
  enable always trigger note_feeds_changed,
  enable always trigger note_feeds_gone,
  enable always trigger note_feeds_new,
  enable always trigger show_in_series,
  enable always trigger unpin_pieces,
  enable always trigger withdraw_named_receipt,
  enable always trigger withdraw_receipts;
