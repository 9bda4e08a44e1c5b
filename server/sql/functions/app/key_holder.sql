set local role svc_owner;

-- Whose key this is, if it is live; notes its use, once a minute at most.
create or replace function app.key_holder(p_hash bytea)
  returns table (key_id uuid, writer_id uuid, scopes text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.api_keys := app.live_key(p_hash);
begin
  if live.id is null then
    return;
  end if;
  if live.last_used_at is null or live.last_used_at < clock_timestamp() - interval '1 minute' then
    -- Skips the row while another request notes the same.
    update app.api_keys k set last_used_at = clock_timestamp()
     where k.id = (select u.id from app.api_keys u where u.id = live.id for no key update skip locked);
  end if;
  return query
    select live.id, live.writer_id, live.scopes;
end
$$;

revoke all on function app.key_holder(bytea) from public;
grant execute on function app.key_holder(bytea) to svc_api;
