set local role svc_publisher;

-- Everything public of a writer, in one statement for each table. Answers with the account to write to and the addresses
-- that caches know. Without a session it is the operator.
create or replace function app.suspend_writer(p_writer uuid, p_session app.sessions, p_reason text)
  returns table (account_id uuid, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(p_reason, '') = '' then
    raise exception 'error.reason_missing' using errcode = 'SF400';
  end if;
  perform app.lock_writer(p_writer);
  insert into app.suspensions (writer_id, reason) values (p_writer, p_reason) on conflict do nothing;
  if not found then
    raise exception 'error.already_suspended' using errcode = 'SF409';
  end if;

  perform app.void_schedules(p_writer, 'suspended');
  -- Their deletion takes them along: pieces their receipts.
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, r.piece_id, 'receipts', to_jsonb(r) from pub.receipts r join pub.pieces p on p.id = r.piece_id
   where p.author_id = p_writer;
  with gone as (delete from pub.piece_contents c using pub.pieces p
                 where p.author_id = p_writer and c.piece_id = p.id returning c.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.piece_id, 'piece_contents', to_jsonb(g) from gone g;
  with gone as (delete from pub.piece_texts t using pub.pieces p
                 where p.author_id = p_writer and t.piece_id = p.id returning t.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.piece_id, 'piece_texts', to_jsonb(g) from gone g;
  with gone as (delete from pub.pieces p where p.author_id = p_writer returning p.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.id, 'pieces', to_jsonb(g) from gone g;
  with gone as (delete from pub.products p where p.author_id = p_writer returning p.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.id, 'products', to_jsonb(g) from gone g;
  delete from pub.former_slugs f where f.author_id = p_writer;
  with gone as (delete from pub.authors a where a.id = p_writer returning a.id)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.id, 'authors', '{}' from gone g;

  insert into app.writer_audit (act, writer_id, account_id, session_id, note)
  values ('suspend', p_writer, p_session.account_id, p_session.id, p_reason);
  return query select * from app.told_of_suspension(p_writer);
end
$$;

revoke all on function app.suspend_writer(uuid, app.sessions, text) from public;
grant execute on function app.suspend_writer(uuid, app.sessions, text) to svc_owner;
