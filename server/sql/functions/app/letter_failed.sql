set local role svc_owner;

-- The letter did not go out: it counts no more, and its link opens nothing.
create or replace function app.letter_failed(p_token_hash bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.mail_tokens t where t.token_hash = p_token_hash $$;

revoke all on function app.letter_failed(bytea) from public;
grant execute on function app.letter_failed(bytea) to svc_worker;
