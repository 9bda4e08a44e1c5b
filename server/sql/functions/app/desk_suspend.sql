set local role svc_publisher;

-- The session of a moderator, and the writer they act on: another person, who is no moderator.
create or replace function app.desk_suspend(p_session_hash bytea, p_slug text, p_reason text, p_restores boolean)
  returns table (account_id uuid, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  writer  app.writers;
begin
  if not app.moderates(session) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  select w.* into writer from app.writers w where w.slug = p_slug;
  if not found then
    raise exception 'error.writer_not_found' using errcode = 'SF404';
  end if;
  if exists (select from app.accounts a where a.id = writer.account_id and a.role <> 'writer') then
    raise exception 'error.suspend_moderator' using errcode = 'SF403';
  end if;
  if p_restores then
    return query select * from app.restore_writer(writer.id, session, p_reason);
  else
    return query select * from app.suspend_writer(writer.id, session, p_reason);
  end if;
end
$$;

revoke all on function app.desk_suspend(bytea, text, text, boolean) from public;
grant execute on function app.desk_suspend(bytea, text, text, boolean) to svc_desk;
