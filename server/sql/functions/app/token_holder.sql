set local role svc_owner;

-- Whom a link is for: what the rules for a password and a passkey need to know.
create or replace function app.token_holder(p_token_hash bytea, p_kind text)
  returns table (account_id uuid, email text, name text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.live_token(p_token_hash, p_kind);
begin
  return query
    select a.id, coalesce(token.email, a.email), coalesce(a.name, token.email, a.email)
      from app.accounts a where a.id = token.account_id;
end
$$;

revoke all on function app.token_holder(bytea, text) from public;
grant execute on function app.token_holder(bytea, text) to svc_desk;
