set local role svc_owner;

-- Uses up a link, and with it every other of its kind. The account stays locked.
create or replace function app.take_token(p_token_hash bytea, p_kind text) returns app.mail_tokens
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens;
begin
  perform from app.accounts a
    where a.id = (select t.account_id from app.mail_tokens t where t.token_hash = p_token_hash) for no key update;
  token := app.live_token(p_token_hash, p_kind);
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = token.account_id and t.used_at is null and (t.kind <> 'recover' or token.kind = 'recover');
  return token;
end
$$;

revoke all on function app.take_token(bytea, text) from public;
