set local role svc_owner;

-- By the link in the email.
create or replace function app.cancel_deletion_by_link(p_token_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.accounts a
    where a.id = (select t.account_id from app.mail_tokens t where t.token_hash = p_token_hash) for no key update;
  perform app.keep_account((app.live_token(p_token_hash, 'keep')).account_id);
end
$$;

revoke all on function app.cancel_deletion_by_link(bytea) from public;
grant execute on function app.cancel_deletion_by_link(bytea) to svc_desk;
