set local role svc_owner;

create or replace function app.revoke_key(p_session_hash bytea, p_key uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  holder  uuid;
  session app.sessions;
begin
  select w.account_id into holder
    from app.api_keys k join app.writers w on w.id = k.writer_id
   where k.id = p_key
     for update of k;
  session := app.signed_in(p_session_hash);
  if holder is distinct from session.account_id then
    raise exception 'error.key_not_found' using errcode = 'SF404';
  end if;
  update app.api_keys k set revoked_at = clock_timestamp() where k.id = p_key and k.revoked_at is null;
end
$$;

revoke all on function app.revoke_key(bytea, uuid) from public;
grant execute on function app.revoke_key(bytea, uuid) to svc_desk;
