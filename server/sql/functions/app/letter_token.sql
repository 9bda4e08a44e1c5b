set local role svc_owner;

-- For the worker: which email this address gets, if any, and the token's hash kept for it. Ten an hour at most.
-- Signing up with a new address makes an account, with nothing in it: name, password and passkey are
-- given behind the link, by the person who reads that address's emails. So signing up is the same work for an address that is
-- known and for one that is not, and nobody can put a password of theirs under another person's address.
-- An address that an account had until some hours ago gets the link that gives it back, whatever was asked for.
create or replace function app.letter_token(p_email text, p_asked text, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
  undo    app.mail_tokens;
  email_kind text;
begin
  select t.* into undo from app.mail_tokens t
   where t.email = p_email and t.used_at is null and t.expires_at > clock_timestamp()
     and exists (select from app.accounts a where a.id = t.account_id and a.email <> p_email)
   order by t.expires_at desc limit 1;
  if undo.account_id is null and p_asked = 'sign_up' then
    insert into app.accounts as known (email, signed_up_at) values (p_email, clock_timestamp())
    on conflict (email) do update set signed_up_at = excluded.signed_up_at where known.email_verified_at is null;
  end if;
  -- One at a time for each account: what is counted is what has been written.
  select a.* into account from app.accounts a
   where case when undo.account_id is null then a.email = p_email else a.id = undo.account_id end
     and a.disabled_at is null for no key update;
  if not found then
    return null;
  end if;
  if (select count(*) from app.mail_tokens t
       where t.account_id = account.id and t.created_at > now() - interval '1 hour') >= :emails_per_hour then
    return null;
  end if;
  email_kind := case when undo.account_id is not null then 'recover'
                 when account.email_verified_at is null then 'verify'
                 when p_asked = 'reset' then 'reset'
                 else 'known' end;
  insert into app.mail_tokens (token_hash, account_id, kind, email, expires_at)
  values (p_token_hash, account.id, email_kind, undo.email,
          case email_kind when 'recover' then undo.expires_at
                      when 'verify' then clock_timestamp() + interval :'verify_link_lifetime'
                      when 'reset' then clock_timestamp() + interval :'reset_link_lifetime'
                      else clock_timestamp() end);
  return email_kind;
end
$$;

revoke all on function app.letter_token(text, text, bytea) from public;
grant execute on function app.letter_token(text, text, bytea) to svc_worker;
