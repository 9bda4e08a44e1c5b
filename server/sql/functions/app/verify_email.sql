set local role svc_owner;

-- By the link in the email: the password is set by the person who reads this address's emails.
create or replace function app.verify_email(p_token_hash bytea, p_params text, p_proof bytea,
                                            p_name text, p_slug text, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.take_token(p_token_hash, 'verify');
begin
  perform app.keep_password(token.account_id, p_params, p_proof);
  perform app.welcome(token.account_id, p_name, p_slug, p_search_text);
end
$$;

revoke all on function app.verify_email(bytea, text, bytea, text, text, text) from public;
grant execute on function app.verify_email(bytea, text, bytea, text, text, text) to svc_desk;
