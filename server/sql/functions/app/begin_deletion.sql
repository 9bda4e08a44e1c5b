set local role svc_owner;

-- Locks the account until it is gone, so that nobody keeps half of it. Answers whether it is still to be deleted.
create or replace function app.begin_deletion(p_account uuid) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.accounts a where a.id = p_account and a.delete_at <= now() for update;
  return found;
end
$$;

revoke all on function app.begin_deletion(uuid) from public;
grant execute on function app.begin_deletion(uuid) to svc_worker;
