set local role svc_owner;

-- As before, but counts in the table that has every save of the last day and an index for it.
create or replace function app.saver(p_writer uuid, out key_id uuid, out account_id uuid)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  key     app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
  session app.sessions;
begin
  key_id := key.id;
  if key_id is not null then
    return;
  end if;
  session := app.acting_session();
  account_id := session.account_id;
  if account_id is null then
    if app.acting_hash('app.session_hash') is not null then
      raise exception 'no live session' using errcode = 'SF401';
    elsif app.acting_hash('app.key_hash') is not null then
      raise insufficient_privilege using message = 'the key was revoked a moment ago';
    end if;
    -- The site itself, filling or mending its tables.
    return;
  end if;
  if (select count(*) from app.recent_revisions r
       where r.writer_id = p_writer and r.account_id is not null and r.saved_at > now() - interval '1 day')
     + app.pieces_begun(p_writer, false, now() - interval '1 day') >= :saves_per_day then
    raise exception 'error.too_many_saves' using errcode = 'SF419', detail = '{"limit":10000}';
  end if;
end
$$;

revoke all on function app.saver(uuid) from public;
grant execute on function app.saver(uuid) to svc_api, svc_desk;
