set local role svc_publisher;

-- Answers with the account to write to, and nothing where it was so already. `p_name` is the name that was looked at.
create or replace function app.desk_set_identity(p_session_hash bytea, p_slug text, p_name text, p_verified boolean, p_note text)
  returns table (account_id uuid, changed boolean)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  writer  app.writers;
begin
  perform app.lock_writer(w.id) from app.writers w where w.slug = p_slug;
  session := app.signed_in(p_session_hash);
  if not app.moderates(session) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  select w.* into writer from app.writers w where w.slug = p_slug;
  if not found then
    raise exception 'error.writer_not_found' using errcode = 'SF404';
  end if;
  if writer.account_id = session.account_id then
    raise exception 'error.own_identity' using errcode = 'SF403';
  end if;
  if writer.name is distinct from coalesce(p_name, writer.name) then
    raise exception 'error.name_changed' using errcode = 'SF412';
  end if;
  if (writer.identity_verified_at is not null) = p_verified then
    return query select writer.account_id, false;
    return;
  end if;
  update app.writers w set identity_verified_at = case when p_verified then clock_timestamp() end where w.id = writer.id;
  insert into app.writer_audit (act, writer_id, account_id, session_id, note)
  values (case when p_verified then 'verify_identity' else 'withdraw_identity' end, writer.id, session.account_id,
          session.id, p_note);
  perform app.show_if_public(writer.id);
  return query select writer.account_id, true;
end
$$;

revoke all on function app.desk_set_identity(bytea, text, text, boolean, text) from public;
grant execute on function app.desk_set_identity(bytea, text, text, boolean, text) to svc_desk;
