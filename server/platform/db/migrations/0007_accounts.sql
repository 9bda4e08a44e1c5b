-- Accounts: signing up and in, sessions, passkeys, letters.
--
-- The desk's own role can read no password, session, passkey or token, and can open a session only with a proof:
-- what is derived from the password, or the seal of a passkey. Everything it may do with an account is one of the
-- functions below; the steps inside them are nobody's to call.
-- Errors: SF401 no live session, SF404 not this account's, SF409 the last way in or a passkey that is known, SF410 a
-- used or old link, SF419 too many passkeys, SF428 signed in too long ago.
--
-- Lock: ACCESS EXCLUSIVE on app.accounts and app.sessions for an instant.

set local role svc_owner;

alter table app.accounts
  drop column password_hash,
  add column name            text check (char_length(name) between 1 and 80),
  -- How the proof is derived, with its salt: 'scrypt$16$8$2$<salt>'. The password itself is never seen here.
  add column password_params text,
  add column password_proof  bytea check (octet_length(password_proof) = 32),
  -- Tell me when a key of mine made drafts; when that was told last.
  add column drafts_letter   boolean not null default true,
  add column drafts_told_at  timestamptz,
  add column signed_up_at    timestamptz,
  add check ((password_params is null) = (password_proof is null));

alter table app.sessions
  add column address          text check (char_length(address) <= 64),
  add column authenticated_at timestamptz not null default now();

revoke select (id, email, role, email_verified_at, disabled_at, created_at) on app.accounts from svc_desk;

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

-- What people ask for who sign up. Nothing happens until the worker writes their letter: so signing up is the same
-- work for an address that is known and for one that is not.
create table app.sign_ups (
  id              bigint      generated always as identity primary key,
  email           text        not null check (email = lower(email) and char_length(email) between 3 and 254),
  name            text        not null check (char_length(name) between 1 and 80),
  password_params text,
  password_proof  bytea       check (octet_length(password_proof) = 32),
  at              timestamptz not null default clock_timestamp(),
  check ((password_params is null) = (password_proof is null))
);
create index sign_ups_by_email on app.sign_ups (email, id);

-- What a letter's link carries, as a hash. 'known' opens nothing: it counts the letter that says "you have an account".
create table app.mail_tokens (
  token_hash bytea       primary key check (octet_length(token_hash) = 32),
  account_id uuid        not null references app.accounts on delete cascade,
  kind       text        not null check (kind in ('verify', 'first_passkey', 'reset', 'known')),
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
    raise exception 'You are signed out. Sign in again.' using errcode = 'SF401';
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
    raise exception 'This needs a sign-in of the last ten minutes. Confirm your password or passkey, then try again.'
      using errcode = 'SF428';
  end if;
  return session;
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
create function app.start_session(p_account uuid, p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  started uuid;
begin
  -- One at a time, so that two sign-ins cannot both be the tenth.
  perform from app.accounts a where a.id = p_account for no key update;
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
  session app.sessions := app.signed_in(p_session_hash);
begin
  update app.sessions s set revoked_at = clock_timestamp()
   where s.id = p_session and s.account_id = session.account_id and s.revoked_at is null;
  if not found then
    raise exception 'You have no such session. It may have ended already.' using errcode = 'SF404';
  end if;
end
$$;

create function app.end_other_sessions(p_session_hash bytea) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return app.end_sessions(session.account_id, session.id);
end
$$;

create function app.sign_out(p_session_hash bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.sessions s set revoked_at = clock_timestamp() where s.token_hash = p_session_hash and s.revoked_at is null
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
  proven uuid;
begin
  update app.sign_in_attempts t set checked = true
   where t.id = p_attempt and not t.checked and t.account_key = app.attempt_key('account', p_email)
     and t.at > clock_timestamp() - interval '1 minute';
  if not found then
    return null;
  end if;
  -- Hashes are compared, so that the time it takes tells nothing of the proof. Locked, so that a password that is
  -- changed this moment ends the session that the old one opens, or the old one opens none.
  select a.id into proven from app.accounts a
   where a.email = p_email and a.email_verified_at is not null and a.disabled_at is null
     and sha256(a.password_proof) = sha256(p_proof)
     for no key update;
  if proven is not null then
    update app.sign_in_attempts t set succeeded = true where t.id = p_attempt;
  end if;
  return proven;
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
  session app.sessions := app.signed_in(p_session_hash);
  account uuid := app.account_proven(
    p_attempt, (select a.email from app.accounts a where a.id = session.account_id), p_proof);
begin
  if account is null then
    return null;
  end if;
  perform app.start_session(account, p_token_hash, session.user_agent, session.address, p_session_hash);
  return account;
end
$$;

create function app.set_password(p_session_hash bytea, p_params text, p_proof bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.freshly_signed_in(p_session_hash);
begin
  update app.accounts a set password_params = p_params, password_proof = p_proof where a.id = session.account_id;
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
  session app.sessions := app.signed_in(p_session_hash);
begin
  update app.accounts a set drafts_letter = p_wanted where a.id = session.account_id;
end
$$;

-- ---------------------------------------------------------------------------------------------- sign-up and letters

create function app.sign_up(p_email text, p_name text, p_params text, p_proof bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.sign_ups (email, name, password_params, password_proof) values (p_email, p_name, p_params, p_proof)
  $$;

-- Makes the account of whoever signed up last with this address; one that is confirmed stays as it is.
create function app.apply_sign_up(p_email text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  asked app.sign_ups;
begin
  select s.* into asked from app.sign_ups s where s.email = p_email order by s.id desc limit 1;
  if not found then
    return;
  end if;
  insert into app.accounts as known (email, name, password_params, password_proof, signed_up_at)
  values (asked.email, asked.name, asked.password_params, asked.password_proof, asked.at)
  on conflict (email) do update set
    name = excluded.name, password_params = excluded.password_params, password_proof = excluded.password_proof,
    signed_up_at = excluded.signed_up_at
   where known.email_verified_at is null;
  delete from app.sign_ups s where s.email = p_email and s.id <= asked.id;
end
$$;

-- For the worker: which letter this address gets, if any, and the token's hash kept for it. Ten an hour at most.
-- A new link to confirm an address ends the older ones: they would confirm a name and a password that are no longer these.
create function app.letter_token(p_email text, p_asked text, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
  letter  text;
begin
  if (select count(*) from app.mail_tokens t join app.accounts a on a.id = t.account_id
       where a.email = p_email and t.created_at > clock_timestamp() - interval '1 hour') >= 10 then
    delete from app.sign_ups s where s.email = p_email;
    return null;
  end if;
  if p_asked = 'sign_up' then
    perform app.apply_sign_up(p_email);
  end if;
  select a.* into account from app.accounts a where a.email = p_email and a.disabled_at is null for no key update;
  if not found then
    return null;
  end if;
  letter := case when account.email_verified_at is null and account.password_proof is null then 'first_passkey'
                 when account.email_verified_at is null then 'verify'
                 when p_asked = 'reset' then 'reset'
                 else 'known' end;
  if letter in ('verify', 'first_passkey') then
    update app.mail_tokens t set used_at = clock_timestamp()
     where t.account_id = account.id and t.used_at is null and t.kind in ('verify', 'first_passkey');
  end if;
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (p_token_hash, account.id, letter,
          clock_timestamp() + case letter when 'reset' then interval '1 hour' when 'known' then interval '0'
                                          else interval '24 hours' end);
  return letter;
end
$$;

-- The letter did not go out: it counts no more, and its link opens nothing.
create function app.letter_failed(p_token_hash bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.mail_tokens t where t.token_hash = p_token_hash $$;

create function app.live_token(p_token_hash bytea, p_kind text) returns app.mail_tokens
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens;
begin
  select t.* into token
    from app.mail_tokens t join app.accounts a on a.id = t.account_id
   where t.token_hash = p_token_hash and t.kind = p_kind and t.used_at is null
     and t.expires_at > clock_timestamp() and a.disabled_at is null
     for update of t;
  if not found then
    raise exception 'This link was used already or is too old. Ask for a new letter.' using errcode = 'SF410';
  end if;
  return token;
end
$$;

-- Whom a link is for: what the rules for a password, a slug and a passkey need to know.
create function app.token_holder(p_token_hash bytea, p_kind text)
  returns table (account_id uuid, email text, name text, has_passkey boolean)
  language plpgsql security definer
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

-- Confirms the address, and makes a writer of whoever signed up as one: "ada", or "ada-2" where that is taken.
create function app.welcome(p_account uuid, p_slug text, p_search_text text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account   app.accounts;
  candidate text := p_slug;
  copy      integer := 1;
begin
  update app.accounts a set email_verified_at = coalesce(a.email_verified_at, clock_timestamp())
   where a.id = p_account returning a.* into account;
  if account.role <> 'writer' or exists (select from app.writers w where w.account_id = p_account) then
    return;
  end if;
  loop
    if app.is_free_slug(candidate) and not exists (select from app.former_slugs f where f.slug = candidate) then
      insert into app.writers (account_id, slug, name, search_text)
      values (p_account, candidate, coalesce(account.name, candidate), p_search_text)
      on conflict (slug) do nothing;
      exit when found;
    end if;
    copy := copy + 1;
    candidate := p_slug || '-' || copy;
  end loop;
end
$$;

create function app.verify_email(p_token_hash bytea, p_slug text, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.live_token(p_token_hash, 'verify');
begin
  update app.mail_tokens t set used_at = clock_timestamp() where t.token_hash = token.token_hash;
  perform app.welcome(token.account_id, p_slug, p_search_text);
end
$$;

-- Every session and every other link to reset ends; wrong tries at the old password no longer count.
create function app.reset_password(p_token_hash bytea, p_params text, p_proof bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.live_token(p_token_hash, 'reset');
  email text;
begin
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = token.account_id and t.kind = 'reset' and t.used_at is null;
  update app.accounts a set password_params = p_params, password_proof = p_proof
   where a.id = token.account_id returning a.email into email;
  delete from app.sign_in_attempts t where t.account_key = app.attempt_key('account', email);
  perform app.end_sessions(token.account_id, null);
  return token.account_id;
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
    when 'first_passkey' then (app.live_token(p_holder, 'first_passkey')).account_id
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
  -- Locked for the same reason as with passwords, and before the passkey, as whoever deletes one does.
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
  session app.sessions := app.signed_in(p_session_hash);
begin
  if app.account_sealed(p_credential_id, p_seal, p_counter, session.account_id) is null then
    return null;
  end if;
  perform app.start_session(session.account_id, p_token_hash, session.user_agent, session.address, p_session_hash);
  return session.account_id;
end
$$;

create function app.keep_passkey(p_account uuid, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                 p_transports text[], p_name text, p_seal_hash bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept uuid;
begin
  perform from app.accounts a where a.id = p_account for no key update;
  if (select count(*) from app.passkeys k where k.account_id = p_account) >= 20 then
    raise exception 'You have 20 passkeys, which is the most. Delete one you no longer use.' using errcode = 'SF419';
  end if;
  insert into app.passkeys (account_id, credential_id, public_key, counter, transports, name, seal_hash)
  values (p_account, p_credential_id, p_public_key, p_counter, p_transports, p_name, p_seal_hash)
  on conflict (credential_id) do nothing
  returning id into kept;
  if kept is null then
    raise exception 'This passkey is registered already. Use another device or account of your passkey manager.'
      using errcode = 'SF409';
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
  session app.sessions := app.freshly_signed_in(p_session_hash);
  kept    uuid := app.keep_passkey(session.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_name,
                                   p_seal_hash);
begin
  perform app.end_sessions(session.account_id, session.id);
  return kept;
end
$$;

-- By the link in the letter: confirms the address and signs in.
create function app.add_first_passkey(p_letter_hash bytea, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                      p_transports text[], p_name text, p_seal_hash bytea,
                                      p_slug text, p_search_text text,
                                      p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.live_token(p_letter_hash, 'first_passkey');
begin
  update app.mail_tokens t set used_at = clock_timestamp() where t.token_hash = token.token_hash;
  perform app.keep_passkey(token.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_name, p_seal_hash);
  perform app.welcome(token.account_id, p_slug, p_search_text);
  perform app.start_session(token.account_id, p_token_hash, p_user_agent, p_address, p_replaced);
  return token.account_id;
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

create function app.rename_passkey(p_session_hash bytea, p_passkey uuid, p_name text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  update app.passkeys k set name = p_name where k.id = p_passkey and k.account_id = session.account_id;
  if not found then
    raise exception 'You have no such passkey.' using errcode = 'SF404';
  end if;
end
$$;

create function app.delete_passkey(p_session_hash bytea, p_passkey uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.freshly_signed_in(p_session_hash);
begin
  perform from app.accounts a where a.id = session.account_id for no key update;
  if not exists (select from app.passkeys k where k.id = p_passkey and k.account_id = session.account_id) then
    raise exception 'You have no such passkey.' using errcode = 'SF404';
  end if;
  if not exists (select from app.accounts a where a.id = session.account_id and a.password_proof is not null)
     and not exists (select from app.passkeys k where k.id <> p_passkey and k.account_id = session.account_id) then
    raise exception 'This is your only way in. Set a password or add another passkey first.' using errcode = 'SF409';
  end if;
  delete from app.passkeys k where k.id = p_passkey;
  perform app.end_sessions(session.account_id, session.id);
end
$$;

-- ---------------------------------------------------------------------------------------------- who may call what

-- What has served its time.
create function app.sweep_accounts() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    delete from app.sign_in_attempts where at < clock_timestamp() - interval '1 day';
    delete from app.challenges where expires_at < clock_timestamp();
    delete from app.sign_ups where at < clock_timestamp() - interval '2 days';
    delete from app.mail_tokens where expires_at < clock_timestamp() - interval '1 day';
    delete from app.sessions where expires_at < clock_timestamp() - interval '30 days';
    delete from app.accounts a where a.email_verified_at is null and a.signed_up_at < clock_timestamp() - interval '7 days'
       and not exists (select from app.writers w where w.account_id = a.id);
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
    'sign_up', 'token_holder', 'verify_email', 'reset_password',
    'new_challenge', 'take_challenge', 'passkey', 'open_session_by_passkey', 'renew_session_by_passkey',
    'add_passkey', 'add_first_passkey', 'passkeys_of', 'rename_passkey', 'delete_passkey']
  loop
    execute format('grant execute on function app.%I to svc_desk', act);
  end loop;
end
$$;
grant execute on function app.letter_token(text, text, bytea), app.letter_failed(bytea), app.sweep_accounts() to svc_worker;

-- Publishing asks the same question about a session as everything else.
grant execute on function app.session_of(bytea) to svc_publisher;
grant create on schema app to svc_publisher;
set local role svc_publisher;

create or replace function app.live_session(p_token text) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.session_of(sha256(convert_to(p_token, 'UTF8')));
begin
  if session.id is null then
    raise exception 'You are signed out. Sign in again.' using errcode = 'SF401';
  end if;
  return session;
end
$$;

set local role svc_owner;
revoke create on schema app from svc_publisher;
