set local role svc_owner;

create or replace function app.demand_passkey(p_account uuid, p_passkey uuid) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.passkeys k where k.id = p_passkey and k.account_id = p_account) then
    raise exception 'error.passkey_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.demand_passkey(uuid, uuid) from public;
