set local role svc_owner;

create or replace function app.date_identity() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.identity_verified_at := case when new.identity_verified
    then (select w.identity_verified_at from app.writers w where w.id = new.id) end;
  return new;
end
$$;

revoke all on function app.date_identity() from public;
