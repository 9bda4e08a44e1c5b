set local role svc_owner;

-- Answers how many there were.
create or replace function app.dismiss_reports(p_session_hash bytea, p_kind text, p_id uuid) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session   app.sessions := app.moderating(p_session_hash);
  writer    app.writers;
  dismissed integer;
begin
  select w.* into writer from app.reportable(p_kind, p_id) about join app.writers w on w.id = about.writer_id;
  if writer.account_id = session.account_id then
    raise exception 'error.own_reports' using errcode = 'SF403';
  end if;
  update app.reports r set settled_at = clock_timestamp(), outcome = 'dismissed'
   where r.id in (select o.id from app.open_reports_of(p_kind, p_id) o) and r.settled_at is null
     and writer.id is not null;
  get diagnostics dismissed = row_count;
  if dismissed = 0 then
    raise exception 'error.no_open_reports' using errcode = 'SF404', detail = json_build_object('kind', p_kind)::text;
  end if;
  if p_kind = 'piece' then
    insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status)
    values ('dismiss_reports', p_id, writer.id, session.account_id, session.id,
            coalesce((select max(t.revision) from app.audit t where t.piece_id = p_id and t.to_status = 'approved'), 1),
            'approved', 'approved');
  else
    insert into app.product_audit (act, product_id, writer_id, account_id, session_id, revision, from_status, to_status)
    values ('dismiss_reports', p_id, writer.id, session.account_id, session.id,
            coalesce((select max(t.revision) from app.product_audit t
                       where t.product_id = p_id and t.to_status = 'listed'), 1),
            'listed', 'listed');
  end if;
  return dismissed;
end
$$;

revoke all on function app.dismiss_reports(bytea, text, uuid) from public;
grant execute on function app.dismiss_reports(bytea, text, uuid) to svc_desk;
