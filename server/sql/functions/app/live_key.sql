set local role svc_owner;

create or replace function app.live_key(p_hash bytea) returns app.api_keys
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_key app.api_keys;
begin
  select k.* into found_key from app.api_keys k
    join app.writers w on w.id = k.writer_id
    left join app.accounts a on a.id = w.account_id
   where k.key_hash = p_hash and a.disabled_at is null;
  return case when app.is_live_key(found_key) then found_key end;
end
$$;

revoke all on function app.live_key(bytea) from public;
