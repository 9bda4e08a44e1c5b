-- Accounts: signing up and in, sessions, passkeys, letters.
--
-- The desk's own role can read no password, session, passkey or token, and can open a session only with a proof:
-- what is derived from the password, or the seal of a passkey. Everything it may do with an account is one of the
-- functions below; the steps inside them are nobody's to call.
-- Errors: SF401 no live session, SF404 not this account's, SF409 the last way in or a passkey that is known, SF410 a
-- used or old link, SF419 too many passkeys, SF428 signed in too long ago. The sentences of SF401 and SF428 are in
-- platform/db/refusals.ts, since the door says them too.
-- Order of locks: the account, then whatever belongs to it. Who acts is asked once the account is locked, so that a
-- session which ended while its act waited does nothing.
--
-- Lock: ACCESS EXCLUSIVE on app.accounts and app.sessions for an instant.

set local role svc_owner;

alter table app.accounts
  drop column password_hash,
  add column name            text check (char_length(name) between 1 and 80),
  -- How the proof is derived, with its salt: 'scrypt$16$8$2$<salt>'. The password itself is never seen here.
  add column password_params text,
  add column password_proof  bytea check (octet_length(password_proof) = 32),
  -- Whether it would do without a passkey beside it.
  add column password_stands_alone boolean,
  -- Tell me when a key of mine made drafts; when that was told last.
  add column drafts_letter   boolean not null default true,
  add column drafts_told_at  timestamptz,
  add column signed_up_at    timestamptz,
  add check ((password_params is null) = (password_proof is null)),
  add check ((password_stands_alone is null) = (password_proof is null));
create index accounts_unconfirmed on app.accounts (signed_up_at) where email_verified_at is null;

alter table app.sessions
  add column address          text check (char_length(address) <= 64),
  add column authenticated_at timestamptz not null default now();
create index sessions_by_age on app.sessions (expires_at);

revoke select (id, email, role, email_verified_at, disabled_at, created_at) on app.accounts from svc_desk;
-- Publishing asks who is barred and who moderates, and nothing about passwords.
revoke select on app.accounts from svc_publisher;
grant select (id, role, disabled_at) on app.accounts to svc_publisher;

-- Every try at a password, written before it is checked, so that tries at the same moment count too.
-- By hashes, so that an address without an account counts like any other.
create table app.sign_in_attempts (
  id           uuid        primary key default gen_random_uuid(),
  account_key  bytea       not null check (octet_length(account_key) = 32),
  place_key    bytea       not null check (octet_length(place_key) = 32),
  known_device boolean     not null,
  at           timestamptz not null default clock_timestamp(),
  checked      boolean     not null default false,
  succeeded    boolean     not null default false
);
create index sign_in_attempts_of_account on app.sign_in_attempts (account_key, at);
create index sign_in_attempts_by_age on app.sign_in_attempts (at);

-- What a letter's link carries, as a hash. 'known' opens nothing: it counts the letter that says "you have an account".
create table app.mail_tokens (
  token_hash bytea       primary key check (octet_length(token_hash) = 32),
  account_id uuid        not null references app.accounts on delete cascade,
  kind       text        not null check (kind in ('verify', 'reset', 'known')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index mail_tokens_of_account on app.mail_tokens (account_id, created_at);
create index mail_tokens_by_age on app.mail_tokens (expires_at);

-- PostgreSQL cannot check a passkey's signature. The server does, and shows that it was the server with a seal only
-- it can make (from AUTH_SECRET and the credential): SQL alone opens no session.
create table app.passkeys (
  id            uuid        primary key default gen_random_uuid(),
  account_id    uuid        not null references app.accounts on delete cascade,
  credential_id bytea       not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key    bytea       not null check (octet_length(public_key) <= 4096),
  counter       bigint      not null check (counter >= 0),
  transports    text[]      not null default '{}',
  name          text        not null check (char_length(name) between 1 and 60),
  seal_hash     bytea       not null check (octet_length(seal_hash) = 32),
  created_at    timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at  timestamptz
);
create index passkeys_of_account on app.passkeys (account_id, created_at);

create table app.challenges (
  challenge_hash bytea       primary key check (octet_length(challenge_hash) = 32),
  purpose        text        not null check (purpose in ('sign_in', 'reauthenticate', 'register', 'first_passkey')),
  account_id     uuid        references app.accounts on delete cascade,
  expires_at     timestamptz not null default clock_timestamp() + interval '5 minutes'
);
create index challenges_of_account on app.challenges (account_id);
create index challenges_by_age on app.challenges (expires_at);

-- ---------------------------------------------------------------------------------------------- sessions

-- The one meaning of a live session: neither ended nor disabled, under 14 days old, seen in the last 24 hours.
create function app.session_of(p_session_hash bytea) returns app.sessions
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select s.* from app.sessions s join app.accounts a on a.id = s.account_id
     where s.token_hash = p_session_hash and s.revoked_at is null and a.disabled_at is null
       and s.expires_at > clock_timestamp() and s.last_seen_at > clock_timestamp() - interval '24 hours'
  $$;

create function app.signed_in(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.session_of(p_session_hash);
begin
  if session.id is null then
    raise exception 'no live session' using errcode = 'SF401';
  end if;
  return session;
end
$$;

create function app.is_fresh(p_session app.sessions) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select p_session.authenticated_at > clock_timestamp() - interval '10 minutes' $$;

create function app.freshly_signed_in(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not app.is_fresh(session) then
    raise exception 'signed in too long ago' using errcode = 'SF428';
  end if;
  return session;
end
$$;

-- One act at a time for each account.
create function app.lock_account_of(p_session_hash bytea) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.accounts a
    where a.id = (select s.account_id from app.sessions s where s.token_hash = p_session_hash) for no key update;
end
$$;

-- Who is at the desk; notes that they were seen, once a minute at most.
create function app.person(p_session_hash bytea)
  returns table (account_id uuid, email text, name text, role text, session_id uuid, fresh boolean,
                 writer_id uuid, writer_slug text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.session_of(p_session_hash);
begin
  if session.id is null then
    return;
  end if;
  if session.last_seen_at < clock_timestamp() - interval '1 minute' then
    -- Skips the row while another request notes the same.
    update app.sessions s set last_seen_at = clock_timestamp()
     where s.id = (select u.id from app.sessions u where u.id = session.id for no key update skip locked);
  end if;
  return query
    select a.id, a.email, coalesce(w.name, a.name, a.email), a.role, session.id, app.is_fresh(session), w.id, w.slug
      from app.accounts a left join app.writers w on w.account_id = a.id
     where a.id = session.account_id;
end
$$;

create function app.end_sessions(p_account uuid, p_but uuid) returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  ended integer;
begin
  update app.sessions s set revoked_at = clock_timestamp()
   where s.account_id = p_account and s.revoked_at is null and s.id is distinct from p_but;
  get diagnostics ended = row_count;
  return ended;
end
$$;

-- A session of 14 days; the oldest above ten ends. `p_replaced` is the session this browser had until now.
-- Its callers have locked the account, so that two sign-ins cannot both be the tenth.
create function app.start_session(p_account uuid, p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  started uuid;
begin
  update app.sessions s set revoked_at = clock_timestamp() where s.token_hash = p_replaced and s.revoked_at is null;
  insert into app.sessions (account_id, token_hash, user_agent, address, expires_at)
  values (p_account, p_token_hash, left(p_user_agent, 400), left(p_address, 64), clock_timestamp() + interval '14 days')
  returning id into started;
  update app.sessions s set revoked_at = clock_timestamp()
   where s.id in (select o.id from app.sessions o
                   where o.account_id = p_account and o.revoked_at is null and o.expires_at > clock_timestamp()
                   order by o.id = started desc, o.created_at desc, o.id offset 10);
end
$$;

create function app.sessions_of(p_session_hash bytea)
  returns table (id uuid, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz,
                 expires_at timestamptz, is_this_one boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select s.id, s.user_agent, s.address, s.created_at, s.last_seen_at, s.expires_at, s.token_hash = p_session_hash
      from app.sessions s
     where s.account_id = (app.signed_in(p_session_hash)).account_id and s.revoked_at is null
       and s.expires_at > clock_timestamp() and s.last_seen_at > clock_timestamp() - interval '24 hours'
     order by s.last_seen_at desc, s.id
  $$;

create function app.end_session(p_session_hash bytea, p_session uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  update app.sessions s set revoked_at = clock_timestamp()
   where s.id = p_session and s.account_id = session.account_id and s.revoked_at is null;
  if not found then
    raise exception 'You have no such session. It may have ended already: look at the list again.'
      using errcode = 'SF404';
  end if;
end
$$;

create function app.end_other_sessions(p_session_hash bytea) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  return app.end_sessions(session.account_id, session.id);
end
$$;

create function app.sign_out(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_account_of(p_session_hash);
  update app.sessions s set revoked_at = clock_timestamp() where s.token_hash = p_session_hash and s.revoked_at is null;
end
$$;

-- ---------------------------------------------------------------------------------------------- passwords

create function app.attempt_key(p_kind text, p_name text) returns bytea
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select sha256(convert_to(p_kind || ' ' || p_name, 'UTF8')) $$;

-- Counts a try at a password and says how to derive its proof, or how many seconds to wait instead.
-- After n wrong tries in a row from one network the next waits 2^(n-1) s, at most 15 min; over all networks an account
-- takes 20 wrong tries an hour. A device that signed in before (`p_device`) has both counts for itself.
create function app.begin_sign_in(p_email text, p_network text, p_device text,
                                  out attempt uuid, out params text, out wait integer)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account   bytea := app.attempt_key('account', p_email);
  place     bytea := case when p_device is null then app.attempt_key('network', p_network)
                          else app.attempt_key('device', p_device) end;
  moment    timestamptz;
  delayed   timestamptz;
  exhausted timestamptz;
begin
  -- One at a time for each account: what is counted is what has been written.
  perform pg_advisory_xact_lock(hashtextextended(encode(account, 'hex'), 2));
  moment := clock_timestamp();

  select max(t.at) + make_interval(secs => least(power(2, count(*) - 1), 900)) into delayed
    from app.sign_in_attempts t
   where t.account_key = account and t.place_key = place and not t.succeeded and t.at > moment - interval '1 day'
     and not exists (select from app.sign_in_attempts s where s.account_key = account and s.place_key = place
                        and s.succeeded and s.at > t.at);

  select t.at + interval '1 hour' into exhausted
    from app.sign_in_attempts t
   where t.account_key = account and not t.succeeded and t.at > moment - interval '1 hour'
     and case when p_device is null then not t.known_device else t.place_key = place end
   order by t.at desc offset 19 limit 1;

  wait := greatest(ceil(extract(epoch from greatest(delayed, exhausted) - moment)), 0);
  if wait > 0 then
    return;
  end if;
  wait := 0;
  insert into app.sign_in_attempts (account_key, place_key, known_device, at)
  values (account, place, p_device is not null, moment) returning id into attempt;
  params := (select a.password_params from app.accounts a where a.email = p_email);
end
$$;

-- The account whose password this proves, if the try was counted and is not yet used up; and then it is.
create function app.account_proven(p_attempt uuid, p_email text, p_proof bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  -- Locked, so that a password that is changed this moment ends the session that the old one opens, or the old one
  -- opens none.
  select a.* into account from app.accounts a where a.email = p_email for no key update;
  update app.sign_in_attempts t set checked = true
   where t.id = p_attempt and not t.checked and t.account_key = app.attempt_key('account', p_email)
     and t.at > clock_timestamp() - interval '1 minute';
  if not found then
    return null;
  end if;
  -- Hashes are compared, so that the time it takes tells nothing of the proof.
  if account.email_verified_at is not null and account.disabled_at is null
     and sha256(account.password_proof) = sha256(p_proof) then
    update app.sign_in_attempts t set succeeded = true where t.id = p_attempt;
    return account.id;
  end if;
  return null;
end
$$;

-- Answers with the account; null where the proof is wrong, since an error would undo the count.
create function app.open_session(p_attempt uuid, p_email text, p_proof bytea,
                                 p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.account_proven(p_attempt, p_email, p_proof);
begin
  if account is null then
    return null;
  end if;
  perform app.start_session(account, p_token_hash, p_user_agent, p_address, p_replaced);
  return account;
end
$$;

-- The same person, just proven again, under a new token; the old one ends.
create function app.renew_session(p_session_hash bytea, p_attempt uuid, p_proof bytea, p_token_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  account uuid;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  account := app.account_proven(
    p_attempt, (select a.email from app.accounts a where a.id = session.account_id), p_proof);
  if account is null then
    return null;
  end if;
  perform app.start_session(account, p_token_hash, session.user_agent, session.address, p_session_hash);
  return account;
end
$$;

-- A shorter password is for beside a passkey, and the last passkey may have gone this moment.
create function app.keep_password(p_account uuid, p_params text, p_proof bytea, p_stands_alone boolean) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not p_stands_alone and not exists (select from app.passkeys k where k.account_id = p_account) then
    raise exception 'Without a passkey this password is too weak. Choose one of 15 characters or more.'
      using errcode = 'SF4LW';
  end if;
  update app.accounts a
     set password_params = p_params, password_proof = p_proof, password_stands_alone = p_stands_alone
   where a.id = p_account;
end
$$;

create function app.set_password(p_session_hash bytea, p_params text, p_proof bytea, p_stands_alone boolean)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  perform app.keep_password(session.account_id, p_params, p_proof, p_stands_alone);
  perform app.end_sessions(session.account_id, session.id);
end
$$;

-- What the account's own page shows.
create function app.account_of(p_session_hash bytea)
  returns table (has_password boolean, passkeys integer, drafts_letter boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.password_proof is not null,
           (select count(*)::integer from app.passkeys k where k.account_id = a.id), a.drafts_letter
      from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

create function app.set_drafts_letter(p_session_hash bytea, p_wanted boolean) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  update app.accounts a set drafts_letter = p_wanted where a.id = session.account_id;
end
$$;

-- ---------------------------------------------------------------------------------------------- sign-up and letters

-- For the worker: which letter this address gets, if any, and the token's hash kept for it. Ten an hour at most.
-- Whoever signs up with a new address has an account from here on, with nothing in it: name, password and passkey are
-- given behind the link, by whoever reads that address's letters. So signing up is the same work for an address that is
-- known and for one that is not, and nobody can put a password of theirs under somebody else's address.
create function app.letter_token(p_email text, p_asked text, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
  letter  text;
begin
  if p_asked = 'sign_up' then
    insert into app.accounts as known (email, signed_up_at) values (p_email, clock_timestamp())
    on conflict (email) do update set signed_up_at = excluded.signed_up_at where known.email_verified_at is null;
  end if;
  -- One at a time for each account: what is counted is what has been written.
  select a.* into account from app.accounts a where a.email = p_email and a.disabled_at is null for no key update;
  if not found then
    return null;
  end if;
  if (select count(*) from app.mail_tokens t
       where t.account_id = account.id and t.created_at > now() - interval '1 hour') >= 10 then
    return null;
  end if;
  letter := case when account.email_verified_at is null then 'verify'
                 when p_asked = 'reset' then 'reset'
                 else 'known' end;
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (p_token_hash, account.id, letter,
          clock_timestamp() + case letter when 'verify' then interval '24 hours' when 'reset' then interval '1 hour'
                                          else interval '0' end);
  return letter;
end
$$;

-- The letter did not go out: it counts no more, and its link opens nothing.
create function app.letter_failed(p_token_hash bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.mail_tokens t where t.token_hash = p_token_hash $$;

-- A link to confirm an address confirms none that is confirmed: it would be one to reset.
create function app.live_token(p_token_hash bytea, p_kind text) returns app.mail_tokens
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens;
begin
  select t.* into token
    from app.mail_tokens t join app.accounts a on a.id = t.account_id
   where t.token_hash = p_token_hash and t.kind = p_kind and t.used_at is null
     and t.expires_at > clock_timestamp() and a.disabled_at is null
     and (p_kind <> 'verify' or a.email_verified_at is null);
  if not found then
    raise exception 'This link was used already or is too old. Ask for a new letter.' using errcode = 'SF410';
  end if;
  return token;
end
$$;

-- Uses up a link, and with it every other of its kind. The account stays locked.
create function app.take_token(p_token_hash bytea, p_kind text) returns uuid
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
   where t.account_id = token.account_id and t.kind = p_kind and t.used_at is null;
  return token.account_id;
end
$$;

-- Whom a link is for: what the rules for a password and a passkey need to know.
create function app.token_holder(p_token_hash bytea, p_kind text)
  returns table (account_id uuid, email text, name text, has_passkey boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.live_token(p_token_hash, p_kind);
begin
  return query
    select a.id, a.email, coalesce(a.name, a.email), exists (select from app.passkeys k where k.account_id = a.id)
      from app.accounts a where a.id = token.account_id;
end
$$;

-- Confirms the address, and makes a writer of whoever signed up as one: "ada", "ada-2" where that is taken, and
-- "ada-5f0c3" where very many are called Ada.
create function app.welcome(p_account uuid, p_name text, p_slug text, p_search_text text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account   app.accounts;
  candidate text;
begin
  update app.accounts a set email_verified_at = clock_timestamp(), name = p_name
   where a.id = p_account returning a.* into account;
  if account.role <> 'writer' or exists (select from app.writers w where w.account_id = p_account) then
    return;
  end if;
  for copy in 1..40 loop
    candidate := p_slug || case when copy = 1 then ''
                                when copy <= 20 then '-' || copy
                                else '-' || left(md5(gen_random_uuid()::text), 5) end;
    if app.is_free_slug(candidate) and not app.is_slug_taken(candidate, null) then
      insert into app.writers (account_id, slug, name, search_text)
      values (p_account, candidate, p_name, p_search_text)
      on conflict (slug) do nothing;
      if found then
        return;
      end if;
    end if;
  end loop;
  raise exception 'Very many writers have this name. Add a word to it, and try again.' using errcode = 'SF409';
end
$$;

-- By the link in the letter: the password is whoever's who reads the letters of this address.
create function app.verify_email(p_token_hash bytea, p_params text, p_proof bytea,
                                 p_name text, p_slug text, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.take_token(p_token_hash, 'verify');
begin
  perform app.keep_password(account, p_params, p_proof, true);
  perform app.welcome(account, p_name, p_slug, p_search_text);
end
$$;

-- Every session ends; wrong tries at the old password no longer count.
create function app.reset_password(p_token_hash bytea, p_params text, p_proof bytea, p_stands_alone boolean)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.take_token(p_token_hash, 'reset');
begin
  perform app.keep_password(account, p_params, p_proof, p_stands_alone);
  delete from app.sign_in_attempts t
   where t.account_key = app.attempt_key('account', (select a.email from app.accounts a where a.id = account));
  perform app.end_sessions(account, null);
  return account;
end
$$;

-- ---------------------------------------------------------------------------------------------- passkeys

-- Whom a challenge is for. `p_holder` is the hash of the session or of the letter's token that asks.
create function app.challenge_holder(p_purpose text, p_holder bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return case p_purpose
    when 'reauthenticate' then (app.signed_in(p_holder)).account_id
    when 'register' then (app.freshly_signed_in(p_holder)).account_id
    when 'first_passkey' then (app.live_token(p_holder, 'verify')).account_id
  end;
end
$$;

create function app.new_challenge(p_challenge_hash bytea, p_purpose text, p_holder bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.challenges (challenge_hash, purpose, account_id)
    values (p_challenge_hash, p_purpose, app.challenge_holder(p_purpose, p_holder))
  $$;

-- True once, for whom and for what it was made, within five minutes.
create function app.take_challenge(p_challenge_hash bytea, p_purpose text, p_holder bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  holder uuid := app.challenge_holder(p_purpose, p_holder);
begin
  delete from app.challenges c
   where c.challenge_hash = p_challenge_hash and c.purpose = p_purpose and c.account_id is not distinct from holder
     and c.expires_at > clock_timestamp();
  return found;
end
$$;

create function app.passkey(p_credential_id bytea)
  returns table (account_id uuid, email text, public_key bytea, counter bigint)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.id, a.email, k.public_key, k.counter
      from app.passkeys k join app.accounts a on a.id = k.account_id where k.credential_id = p_credential_id
  $$;

-- The account whose passkey this is, if the seal is the server's and the counter has moved on, as it does on
-- authenticators that have one: a counter that stands still is a copy's. `p_expected` is the only account it may be.
create function app.account_sealed(p_credential_id bytea, p_seal bytea, p_counter bigint, p_expected uuid) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  sealed uuid;
begin
  -- Locked for the same reason as with passwords.
  perform from app.accounts a
    where a.id = (select k.account_id from app.passkeys k where k.credential_id = p_credential_id) for no key update;
  update app.passkeys k set counter = p_counter, last_used_at = clock_timestamp()
    from app.accounts a
   where k.credential_id = p_credential_id and k.seal_hash = sha256(p_seal)
     and (k.counter < p_counter or (k.counter = 0 and p_counter = 0))
     and a.id = k.account_id and a.email_verified_at is not null and a.disabled_at is null
     and (p_expected is null or a.id = p_expected)
  returning a.id into sealed;
  return sealed;
end
$$;

create function app.open_session_by_passkey(p_credential_id bytea, p_seal bytea, p_counter bigint,
                                            p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.account_sealed(p_credential_id, p_seal, p_counter, null);
begin
  if account is null then
    return null;
  end if;
  perform app.start_session(account, p_token_hash, p_user_agent, p_address, p_replaced);
  return account;
end
$$;

create function app.renew_session_by_passkey(p_session_hash bytea, p_credential_id bytea, p_seal bytea,
                                             p_counter bigint, p_token_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  if app.account_sealed(p_credential_id, p_seal, p_counter, session.account_id) is null then
    return null;
  end if;
  perform app.start_session(session.account_id, p_token_hash, session.user_agent, session.address, p_session_hash);
  return session.account_id;
end
$$;

-- Its callers have locked the account, so that two cannot both be the twentieth.
create function app.keep_passkey(p_account uuid, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                 p_transports text[], p_name text, p_seal_hash bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept uuid;
begin
  if (select count(*) from app.passkeys k where k.account_id = p_account) >= 20 then
    raise exception 'You have 20 passkeys, which is the most. Delete one you no longer use, then add this one.'
      using errcode = 'SF419';
  end if;
  insert into app.passkeys (account_id, credential_id, public_key, counter, transports, name, seal_hash)
  values (p_account, p_credential_id, p_public_key, p_counter, p_transports, p_name, p_seal_hash)
  on conflict (credential_id) do nothing
  returning id into kept;
  if kept is null then
    raise exception 'This passkey is registered already. Sign in with it, or add one from another device.'
      using errcode = 'SF4PK';
  end if;
  return kept;
end
$$;

create function app.add_passkey(p_session_hash bytea, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                p_transports text[], p_name text, p_seal_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  kept    uuid;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  kept := app.keep_passkey(session.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_name,
                           p_seal_hash);
  perform app.end_sessions(session.account_id, session.id);
  return kept;
end
$$;

-- By the link in the letter: confirms the address and signs in.
create function app.add_first_passkey(p_letter_hash bytea, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                      p_transports text[], p_passkey_name text, p_seal_hash bytea,
                                      p_name text, p_slug text, p_search_text text,
                                      p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.take_token(p_letter_hash, 'verify');
begin
  perform app.keep_passkey(account, p_credential_id, p_public_key, p_counter, p_transports, p_passkey_name,
                           p_seal_hash);
  perform app.welcome(account, p_name, p_slug, p_search_text);
  perform app.start_session(account, p_token_hash, p_user_agent, p_address, p_replaced);
  return account;
end
$$;

create function app.passkeys_of(p_session_hash bytea)
  returns table (id uuid, name text, credential_id bytea, transports text[], created_at timestamptz,
                 last_used_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select k.id, k.name, k.credential_id, k.transports, k.created_at, k.last_used_at
      from app.passkeys k where k.account_id = (app.signed_in(p_session_hash)).account_id
     order by k.created_at, k.id
  $$;

create function app.demand_passkey(p_account uuid, p_passkey uuid) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.passkeys k where k.id = p_passkey and k.account_id = p_account) then
    raise exception 'You have no such passkey. It may be deleted already: look at the list again.'
      using errcode = 'SF404';
  end if;
end
$$;

create function app.rename_passkey(p_session_hash bytea, p_passkey uuid, p_name text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  perform app.demand_passkey(session.account_id, p_passkey);
  update app.passkeys k set name = p_name where k.id = p_passkey;
end
$$;

-- What stays must be enough to come in with: another passkey, or a password that would do alone.
create function app.delete_passkey(p_session_hash bytea, p_passkey uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  alone   boolean;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  perform app.demand_passkey(session.account_id, p_passkey);
  delete from app.passkeys k where k.id = p_passkey;
  if not exists (select from app.passkeys k where k.account_id = session.account_id) then
    select a.password_stands_alone into alone from app.accounts a where a.id = session.account_id;
    if alone is null then
      raise exception 'This is your only way in. First set a password, or add another passkey.' using errcode = 'SF4LW';
    elsif not alone then
      raise exception
        'Your password is too weak to be your only way in. First set one of 15 characters or more, or add a passkey.'
        using errcode = 'SF4LW';
    end if;
  end if;
  perform app.end_sessions(session.account_id, session.id);
end
$$;

-- ---------------------------------------------------------------------------------------------- who may call what

-- Deletes what has served its time, of one kind and 5,000 at most; answers how many they were. now(), which does not
-- move within a statement, lets the index find them.
create function app.sweep_accounts(p_kind text) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  most  constant integer := 5000;
  swept integer;
begin
  case p_kind
    when 'sign_in_attempts' then
      delete from app.sign_in_attempts where id in (
        select o.id from app.sign_in_attempts o where o.at < now() - interval '1 day'
         order by o.at limit most for update skip locked);
    when 'challenges' then
      delete from app.challenges where challenge_hash in (
        select o.challenge_hash from app.challenges o where o.expires_at < now()
         order by o.expires_at limit most for update skip locked);
    when 'mail_tokens' then
      delete from app.mail_tokens where token_hash in (
        select o.token_hash from app.mail_tokens o where o.expires_at < now() - interval '1 day'
         order by o.expires_at limit most for update skip locked);
    when 'sessions' then
      delete from app.sessions where id in (
        select o.id from app.sessions o where o.expires_at < now() - interval '30 days'
         order by o.expires_at limit most for update skip locked);
    when 'accounts' then
      delete from app.accounts where id in (
        select o.id from app.accounts o
         where o.email_verified_at is null and o.signed_up_at < now() - interval '7 days'
           and not exists (select from app.writers w where w.account_id = o.id)
         order by o.signed_up_at limit most for update skip locked);
  end case;
  get diagnostics swept = row_count;
  return swept;
end
$$;

do $$
declare
  act text;
begin
  for act in
    select p.oid::regprocedure from pg_proc p
     where p.pronamespace = 'app'::regnamespace and p.proowner = 'svc_owner'::regrole
  loop
    execute format('revoke all on function %s from public', act);
  end loop;
  foreach act in array array[
    'person', 'sessions_of', 'end_session', 'end_other_sessions', 'sign_out',
    'begin_sign_in', 'open_session', 'renew_session', 'set_password', 'account_of', 'set_drafts_letter',
    'token_holder', 'verify_email', 'reset_password',
    'new_challenge', 'take_challenge', 'passkey', 'open_session_by_passkey', 'renew_session_by_passkey',
    'add_passkey', 'add_first_passkey', 'passkeys_of', 'rename_passkey', 'delete_passkey']
  loop
    execute format('grant execute on function app.%I to svc_desk', act);
  end loop;
end
$$;
grant execute on function app.letter_token(text, text, bytea), app.letter_failed(bytea), app.sweep_accounts(text)
  to svc_worker;
