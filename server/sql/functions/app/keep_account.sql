set local role svc_owner;

create or replace function app.keep_account(p_account uuid) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept boolean;
begin
  update app.accounts a set delete_asked_at = null, delete_at = null where a.id = p_account and a.delete_at is not null;
  kept := found;
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = p_account and t.kind = 'keep' and t.used_at is null;
  return kept;
end
$$;

revoke all on function app.keep_account(uuid) from public;
