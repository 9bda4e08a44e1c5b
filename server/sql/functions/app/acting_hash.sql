set local role svc_owner;

create or replace function app.acting_hash(p_setting text) returns bytea
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return decode(nullif(current_setting(p_setting, true), ''), 'hex');
end
$$;

revoke all on function app.acting_hash(text) from public;
