set local role svc_owner;

-- A link that gives an address back sets a new password too.
create or replace function app.live_token(p_token_hash bytea, p_kind text) returns app.mail_tokens
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens;
begin
  select t.* into token
    from app.mail_tokens t join app.accounts a on a.id = t.account_id
   where t.token_hash = p_token_hash and (t.kind = p_kind or (p_kind = 'reset' and t.kind = 'recover'))
     and t.used_at is null and t.expires_at > clock_timestamp() and a.disabled_at is null
     and (p_kind <> 'verify' or a.email_verified_at is null);
  if not found then
    raise exception 'error.link_expired' using errcode = 'SF410';
  end if;
  return token;
end
$$;

revoke all on function app.live_token(bytea, text) from public;
