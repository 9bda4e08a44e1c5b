set local role svc_owner;

-- The email could not be sent: it no longer counts, and its link does not work.
create or replace function app.letter_failed(p_token_hash bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.mail_tokens t where t.token_hash = p_token_hash $$;

revoke all on function app.letter_failed(bytea) from public;
grant execute on function app.letter_failed(bytea) to svc_worker;
