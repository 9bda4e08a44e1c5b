set local role svc_publisher;

-- The profile is written again from what the writer set, as with every change.
create or replace function app.restore_writer(p_writer uuid, p_session app.sessions, p_reason text)
  returns table (account_id uuid, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  if not exists (select from app.suspensions s where s.writer_id = p_writer) then
    raise exception 'error.not_suspended' using errcode = 'SF409';
  end if;
  if exists (select from app.suspended_rows k where k.writer_id = p_writer and k.was_in = 'authors') then
    perform app.show_author(p_writer);
  end if;
  insert into pub.pieces
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.pieces, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'pieces';
  insert into pub.piece_contents
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.piece_contents, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'piece_contents';
  insert into pub.piece_texts
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.piece_texts, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'piece_texts';
  insert into pub.receipts
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.receipts, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'receipts';
  insert into pub.products
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.products, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'products';
  delete from app.suspensions s where s.writer_id = p_writer;
  update pub.authors a set
    pieces_count = (select count(*) from pub.pieces p where p.author_id = a.id)
                 + (select count(*) from pub.piece_co_authors l where l.author_id = a.id),
    last_published_at = app.last_published(a.id)
   where a.id = p_writer;

  insert into app.writer_audit (act, writer_id, account_id, session_id, note)
  values ('restore', p_writer, p_session.account_id, p_session.id, p_reason);
  return query select * from app.told_of_suspension(p_writer);
end
$$;

revoke all on function app.restore_writer(uuid, app.sessions, text) from public;
grant execute on function app.restore_writer(uuid, app.sessions, text) to svc_owner;
