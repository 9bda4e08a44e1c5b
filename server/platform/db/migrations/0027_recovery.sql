-- Recovery: the person who reads the emails of an account's address takes it back, and what another began in it ends.
-- docs/accounts.md has the whole model.
--
-- A change of address is told to the address the account has when it is asked for, and again when it is made. Each of
-- these emails has a link that sets a new password and gives the old address back, until 72 hours after the change.
-- Meanwhile no second change is taken: its undo would go to the author of the first.
-- A new password, by a link or in a session, and "sign out everywhere else" end every change that waits and every link
-- that was sent. A reset also removes the passkeys, keys and private links that its owner does not know.
-- Passwords have one length, with or without a passkey: a shorter one signed in alone.
-- Errors: as in 0007 and 0017; SF409 a change of the last 72 hours.
--
-- Lock: ACCESS EXCLUSIVE on app.accounts, app.mail_tokens and app.email_changes for an instant.

set local role svc_owner;

alter table app.accounts drop column password_stands_alone;

alter table app.mail_tokens
  -- The address that this link gives back to the account.
  add column email text check (email = lower(email) and char_length(email) between 3 and 254),
  drop constraint mail_tokens_kind_check,
  add constraint mail_tokens_kind_check check (kind in ('verify', 'reset', 'known', 'recover')),
  add check ((kind = 'recover') = (email is not null));
create index mail_tokens_by_email on app.mail_tokens (email) where email is not null;

alter table app.email_changes
  -- What the account had when it was asked for.
  add column former_email text,
  -- From then on `expires_at` is when it can no longer be undone.
  add column confirmed_at timestamptz;
update app.email_changes c set former_email = (select a.email from app.accounts a where a.id = c.account_id);
alter table app.email_changes alter column former_email set not null;

-- ---------------------------------------------------------------------------------------------- links

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
    raise exception 'This link was used already or is too old. Ask for a new email.' using errcode = 'SF410';
  end if;
  return token;
end
$$;

-- Uses up a link, and with it every other of the account, which stays locked. Only a link that gives an address back uses
-- up others of that kind: they are what the owner has left when another person reads the account's emails.
drop function app.take_token(bytea, text);
create function app.take_token(p_token_hash bytea, p_kind text) returns app.mail_tokens
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

-- What may have been begun before the account's owner set a new password or signed all others out. A change of
-- address that was made keeps its undo.
create function app.end_what_waits(p_account uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.email_changes c where c.account_id = p_account and c.confirmed_at is null;
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = p_account and t.used_at is null and t.kind <> 'recover';
  delete from app.challenges c where c.account_id = p_account;
end
$$;

-- Which email this address gets, if any, as in 0007. An address that an account had until some hours ago gets the link
-- that gives it back, whatever was asked for.
create or replace function app.letter_token(p_email text, p_asked text, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
  undo    app.mail_tokens;
  letter  text;
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
       where t.account_id = account.id and t.created_at > now() - interval '1 hour') >= 10 then
    return null;
  end if;
  letter := case when undo.account_id is not null then 'recover'
                 when account.email_verified_at is null then 'verify'
                 when p_asked = 'reset' then 'reset'
                 else 'known' end;
  insert into app.mail_tokens (token_hash, account_id, kind, email, expires_at)
  values (p_token_hash, account.id, letter, undo.email,
          case letter when 'recover' then undo.expires_at
                      when 'verify' then clock_timestamp() + interval '24 hours'
                      when 'reset' then clock_timestamp() + interval '1 hour'
                      else clock_timestamp() end);
  return letter;
end
$$;

-- ---------------------------------------------------------------------------------------------- passwords

drop function app.keep_password(uuid, text, bytea, boolean);
create function app.keep_password(p_account uuid, p_params text, p_proof bytea) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$ update app.accounts a set password_params = p_params, password_proof = p_proof where a.id = p_account $$;

drop function app.set_password(bytea, text, bytea, boolean);
create function app.set_password(p_session_hash bytea, p_params text, p_proof bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  perform app.keep_password(session.account_id, p_params, p_proof);
  perform app.end_what_waits(session.account_id);
  perform app.end_sessions(session.account_id, session.id);
end
$$;

create or replace function app.end_other_sessions(p_session_hash bytea) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  perform app.end_what_waits(session.account_id);
  return app.end_sessions(session.account_id, session.id);
end
$$;

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

create or replace function app.add_first_passkey(p_letter_hash bytea, p_credential_id bytea, p_public_key bytea,
                                                 p_counter bigint, p_transports text[], p_passkey_name text,
                                                 p_seal_hash bytea, p_name text, p_slug text, p_search_text text,
                                                 p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.take_token(p_letter_hash, 'verify');
begin
  perform app.keep_passkey(token.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_passkey_name,
                           p_seal_hash);
  perform app.welcome(token.account_id, p_name, p_slug, p_search_text);
  perform app.start_session(token.account_id, p_token_hash, p_user_agent, p_address, p_replaced);
  return token.account_id;
end
$$;

drop function app.token_holder(bytea, text);
create function app.token_holder(p_token_hash bytea, p_kind text)
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

-- Pieces are the publisher's to read.
grant create on schema app to svc_publisher;
set local role svc_publisher;
create function app.private_links_of(p_account uuid)
  returns table (id uuid, headline text, created_at timestamptz, last_seen_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select v.id, p.headline, v.created_at, v.last_seen_at
      from app.previews v join app.pieces p on p.id = v.piece_id
     where v.account_id = p_account and v.revision is null and v.expires_at > clock_timestamp()
     order by v.created_at desc limit 500
  $$;
revoke all on function app.private_links_of(uuid) from public;
grant execute on function app.private_links_of(uuid) to svc_owner;
set local role svc_owner;
revoke create on schema app from svc_publisher;

-- What opens the account or shows its drafts: asked before a new password is set by a link.
create function app.ways_in(p_token_hash bytea)
  returns table (kind text, id uuid, name text, created_at timestamptz, last_used_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := (app.live_token(p_token_hash, 'reset')).account_id;
begin
  return query
    select 'passkey', k.id, k.name, k.created_at, k.last_used_at from app.passkeys k where k.account_id = account
     union all
    select 'key', k.id, k.name || ' (' || k.head || '…' || k.tail || ')', k.created_at, k.last_used_at
      from app.api_keys k join app.writers w on w.id = k.writer_id
     where w.account_id = account and app.is_live_key(k)
     union all
    select 'link', l.id, l.headline, l.created_at, l.last_seen_at from app.private_links_of(account) l
     order by 1 desc, 4 desc, 2;
end
$$;

-- By a link. Every session ends, and with it what waited; `p_remove` are ways in that the owner does not know. Wrong
-- tries at the old password no longer count.
drop function app.reset_password(bytea, text, bytea, boolean);
create function app.reset_password(p_token_hash bytea, p_params text, p_proof bytea, p_remove uuid[]) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token   app.mail_tokens := app.take_token(p_token_hash, 'reset');
  account uuid := token.account_id;
begin
  if token.kind = 'recover' then
    delete from app.accounts a where a.email = token.email and a.id <> account and a.email_verified_at is null;
    update app.accounts a set email = token.email where a.id = account and a.email <> token.email;
    delete from app.email_changes c where c.account_id = account;
  end if;
  perform app.keep_password(account, p_params, p_proof);
  perform app.end_what_waits(account);
  delete from app.passkeys k where k.account_id = account and k.id = any (p_remove);
  update app.api_keys k set revoked_at = clock_timestamp()
    from app.writers w
   where w.id = k.writer_id and w.account_id = account and k.id = any (p_remove) and k.revoked_at is null;
  delete from app.previews v where v.account_id = account and (v.revision is not null or v.id = any (p_remove));
  delete from app.sign_in_attempts t
   where t.account_key = app.attempt_key('account', (select a.email from app.accounts a where a.id = account));
  perform app.end_sessions(account, null);
  return account;
exception
  when unique_violation then
    raise exception 'Another account has this address by now. Ask for a new password for that one.'
      using errcode = 'SF409';
end
$$;

-- What stays must be enough to come in with.
create or replace function app.delete_passkey(p_session_hash bytea, p_passkey uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  perform app.demand_passkey(session.account_id, p_passkey);
  delete from app.passkeys k where k.id = p_passkey;
  if not exists (select from app.passkeys k where k.account_id = session.account_id)
     and (select a.password_proof is null from app.accounts a where a.id = session.account_id) then
    raise exception 'This is your only way in. First set a password, or add another passkey.' using errcode = 'SF4LW';
  end if;
  perform app.end_sessions(session.account_id, session.id);
end
$$;

-- ---------------------------------------------------------------------------------------------- another address

-- A person has confirmed this address, or may still take it back; a sign-up that nobody confirmed is nobody's.
create or replace function app.is_email_taken(p_email text, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.accounts a
                    where a.email = p_email and a.id <> p_account
                      and (a.email_verified_at is not null or exists (select from app.writers w where w.account_id = a.id)))
        or exists (select from app.mail_tokens t
                    where t.email = p_email and t.account_id <> p_account and t.used_at is null
                      and t.expires_at > clock_timestamp())
  $$;

create or replace function app.want_email(p_session_hash bytea, p_email text) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  if exists (select from app.email_changes c
              where c.account_id = session.account_id and c.confirmed_at is not null
                and c.expires_at > clock_timestamp()) then
    raise exception 'Your email address changed in the last 72 hours. Until they are over, it cannot change again.'
      using errcode = 'SF409';
  end if;
  if (select count(*) from app.mail_tokens t
       where t.account_id = session.account_id and t.kind <> 'recover'
         and t.created_at > now() - interval '1 hour') >= 10 then
    raise exception 'That was ten emails within an hour, which is the most. Try again later.' using errcode = 'SF419';
  end if;
  -- Counted like every email; it opens nothing.
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (sha256(convert_to(gen_random_uuid()::text, 'UTF8')), session.account_id, 'known', clock_timestamp());
  insert into app.email_changes (account_id, email, former_email)
  select a.id, p_email, a.email from app.accounts a where a.id = session.account_id
  on conflict (account_id) do update
     set email = excluded.email, former_email = excluded.former_email, asked_at = excluded.asked_at, token_hash = null,
         confirmed_at = null, expires_at = excluded.expires_at;
  return session.account_id;
end
$$;

-- Answers whether there was one.
create function app.cancel_email(p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  delete from app.email_changes c where c.account_id = session.account_id and c.confirmed_at is null;
  return found;
end
$$;

-- For the worker: the address that is told of a change, and the link's hash kept for it; none where the change was
-- cancelled meanwhile.
create function app.recovery_token(p_account uuid, p_token_hash bytea) returns table (email text, at timestamptz)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  change app.email_changes;
begin
  perform from app.accounts a where a.id = p_account for no key update;
  select c.* into change from app.email_changes c
   where c.account_id = p_account and c.expires_at > clock_timestamp();
  if change.account_id is null then
    return;
  end if;
  insert into app.mail_tokens (token_hash, account_id, kind, email, expires_at)
  values (p_token_hash, p_account, 'recover', change.former_email,
          change.expires_at + case when change.confirmed_at is null then interval '72 hours' else interval '0' end);
  return query select change.former_email, coalesce(change.confirmed_at, change.asked_at);
end
$$;

create or replace function app.email_change_token(p_account uuid, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  wanted text;
begin
  update app.email_changes c set token_hash = p_token_hash
    from app.accounts a
   where c.account_id = p_account and c.expires_at > clock_timestamp() and c.confirmed_at is null
     and a.id = c.account_id and a.disabled_at is null and a.email <> c.email
     and not app.is_email_taken(c.email, c.account_id)
  returning c.email into wanted;
  return wanted;
end
$$;

-- By the link in the email. Every session ends but the one that came with it, if it is the account's own; the old address
-- can take it back for 72 hours.
drop function app.confirm_email(bytea, bytea);
create function app.confirm_email(p_token_hash bytea, p_session_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  change  app.email_changes;
  session app.sessions := app.session_of(p_session_hash);
  account app.accounts;
begin
  select a.* into account from app.accounts a
   where a.id = (select c.account_id from app.email_changes c where c.token_hash = p_token_hash) for no key update;
  select c.* into change from app.email_changes c
   where c.token_hash = p_token_hash and c.expires_at > clock_timestamp();
  if change.account_id is null or account.disabled_at is not null
     or app.is_email_taken(change.email, change.account_id) then
    raise exception 'This link was used already or is too old. Ask for a new email.' using errcode = 'SF410';
  end if;
  -- A sign-up that nobody confirmed gives way; one that is being confirmed at this moment is waited for and stays.
  delete from app.accounts a where a.email = change.email and a.id <> account.id and a.email_verified_at is null;
  update app.accounts a set email = change.email, email_verified_at = clock_timestamp() where a.id = account.id;
  update app.email_changes c
     set confirmed_at = clock_timestamp(), expires_at = clock_timestamp() + interval '72 hours', token_hash = null
   where c.account_id = account.id;
  perform app.end_what_waits(account.id);
  perform app.end_sessions(account.id, case when session.account_id = account.id then session.id end);
  return account.id;
exception
  when unique_violation then
    raise exception 'This link was used already or is too old. Ask for a new email.' using errcode = 'SF410';
end
$$;

drop function app.account_of(bytea);
create function app.account_of(p_session_hash bytea)
  returns table (has_password boolean, passkeys integer, drafts_letter boolean, wanted_email text,
                 wanted_at timestamptz, former_email text, undo_until timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.password_proof is not null,
           (select count(*)::integer from app.passkeys k where k.account_id = a.id), a.drafts_letter,
           case when c.confirmed_at is null then c.email end, case when c.confirmed_at is null then c.asked_at end,
           case when c.confirmed_at is not null then c.former_email end,
           case when c.confirmed_at is not null then c.expires_at end
      from app.accounts a
      left join app.email_changes c on c.account_id = a.id and c.expires_at > clock_timestamp()
     where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.take_token(bytea, text), app.end_what_waits(uuid), app.keep_password(uuid, text, bytea),
  app.set_password(bytea, text, bytea), app.token_holder(bytea, text), app.ways_in(bytea),
  app.reset_password(bytea, text, bytea, uuid[]), app.cancel_email(bytea), app.recovery_token(uuid, bytea),
  app.confirm_email(bytea, bytea), app.account_of(bytea) from public;
grant execute on function app.set_password(bytea, text, bytea), app.token_holder(bytea, text), app.ways_in(bytea),
  app.reset_password(bytea, text, bytea, uuid[]), app.cancel_email(bytea), app.confirm_email(bytea, bytea),
  app.account_of(bytea) to svc_desk;
grant execute on function app.recovery_token(uuid, bytea) to svc_worker;
