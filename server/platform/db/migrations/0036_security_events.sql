-- What happened to each account, for its owner to read: sign-ins, passwords, passkeys, keys, links, addresses, roles.
--
-- Triggers write it, so that no way around them is forgotten, in the transaction of the act and at its end: by then
-- every other lock is held, and the head of the chain is the last. Each row has the hash of the one before, and the
-- head of each chain is kept beside it, so that a change, a gap and a cut end are found (app.check_security_chains).
-- A chain is of one account and goes with it, whole: nothing of a closed account has to stay for the others' sake.
-- Rows of more than a year go, oldest first; the head knows how many. docs/adr/0017
-- Errors: SF401 no live session.
--
-- Lock: SHARE ROW EXCLUSIVE on app.accounts, sessions, sign_in_attempts, email_changes, passkeys, api_keys and previews
-- for an instant, and SHARE on app.accounts while an index is built.

set local role svc_owner;

create table app.security_heads (
  account_id uuid        primary key references app.accounts on delete cascade,
  number     integer     not null check (number >= 0),
  at         timestamptz not null,
  hash       bytea       not null check (octet_length(hash) in (0, 32)),
  -- The rows that were too old and are gone.
  swept      integer     not null default 0 check (swept between 0 and number),
  -- The first row that was wrong when the chain was last checked.
  broken     integer
);
create index security_heads_broken on app.security_heads (account_id) where broken is not null;

create table app.security_events (
  account_id uuid        not null references app.accounts on delete cascade,
  number     integer     not null check (number >= 1),
  at         timestamptz not null,
  act        text        not null check (act ~ '^[a-z_]{3,40}$'),
  -- Strings alone, so that everybody writes them the same way.
  facts      jsonb       not null check (jsonb_typeof(facts) = 'object'),
  -- Empty for the first.
  previous   bytea       not null check (octet_length(previous) in (0, 32)),
  hash       bytea       not null check (octet_length(hash) = 32),
  primary key (account_id, number)
);
create index security_events_by_age on app.security_events (at, account_id, number);
-- Wrong tries are kept by the hash of an address.
create index accounts_by_attempt_key on app.accounts (app.attempt_key('account', email));

-- SHA-256 of the row as canonical JSON (RFC 8785), by which anybody can verify what they downloaded.
create function app.security_hash(p_event app.security_events) returns bytea
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select sha256(convert_to(format(
      '{"account":"%s","act":"%s","at":"%s","facts":{%s},"number":%s,"previous":"%s"}',
      p_event.account_id, p_event.act, to_char(p_event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      (select string_agg(to_json(f.key)::text || ':' || to_json(f.value)::text, ',' order by f.key collate "C")
         from jsonb_each_text(p_event.facts) f),
      p_event.number, encode(p_event.previous, 'hex')), 'UTF8'))
  $$;

-- Rows are added, and go with their account or after a year. Nothing else happens to them, whoever asks.
create function app.guard_security_events() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'DELETE' and (old.at < now() - interval '1 year'
                           or not exists (select from app.accounts a where a.id = old.account_id)) then
    return old;
  end if;
  raise insufficient_privilege using message = 'the security history is only ever added to';
end
$$;
create trigger guard_security_events before update or delete on app.security_events
  for each row execute function app.guard_security_events();
create trigger guard_security_events_whole before truncate on app.security_events
  for each statement execute function app.guard_security_events();
alter table app.security_events enable always trigger guard_security_events,
  enable always trigger guard_security_events_whole;

-- ---------------------------------------------------------------------------------------------- who acts, and where

-- As in 0007. Who acts is noted for the rest of the transaction: the history says from where.
create or replace function app.signed_in(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.session_of(p_session_hash);
begin
  if session.id is null then
    raise exception 'no live session' using errcode = 'SF401';
  end if;
  perform set_config('app.acting_session', session.id::text, true);
  return session;
end
$$;

create function app.noted_session() returns uuid
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select nullif(current_setting('app.acting_session', true), '')::uuid $$;

-- The place of the session that acts, or what the desk says of a visitor who has none.
create function app.place_of_act(p_account uuid) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(
      (select jsonb_build_object('address', s.address, 'browser', s.user_agent)
         from app.sessions s where s.id = app.noted_session() and s.account_id = p_account),
      convert_from(app.acting_hash('app.visitor'), 'UTF8')::jsonb,
      '{}')
  $$;

create function app.record_event(p_account uuid, p_act text, p_facts jsonb default '{}') returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  head  app.security_heads;
  event app.security_events;
begin
  if not exists (select from app.accounts a where a.id = p_account) then
    return;
  end if;
  insert into app.security_heads as h (account_id, number, at, hash) values (p_account, 0, clock_timestamp(), '')
  on conflict (account_id) do update set number = h.number returning h.* into head;
  event.account_id := p_account;
  event.number := head.number + 1;
  -- Never before the row before, whatever the clock does.
  event.at := greatest(date_trunc('milliseconds', clock_timestamp()), date_trunc('milliseconds', head.at));
  event.act := p_act;
  event.facts := coalesce((select jsonb_object_agg(f.key, left(f.value, 400))
                             from jsonb_each_text(app.place_of_act(p_account) || p_facts) f
                            where f.value is not null), '{}');
  event.previous := head.hash;
  event.hash := app.security_hash(event);
  insert into app.security_events values (event.*);
  update app.security_heads h set number = event.number, at = event.at, hash = event.hash where h.account_id = p_account;
end
$$;

-- ---------------------------------------------------------------------------------------------- what is written

create function app.record_account() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if new.email_verified_at is not null and old.email_verified_at is null then
    perform app.record_event(new.id, 'signed_up');
  elsif new.password_proof is distinct from old.password_proof then
    perform app.record_event(new.id, case when app.noted_session() is null then 'password_reset' else 'password_set' end);
  end if;
  if new.email <> old.email then
    perform app.record_event(
      new.id,
      case when exists (select from app.email_changes c where c.account_id = new.id and c.email = new.email)
           then 'email_confirmed' else 'email_undone' end,
      jsonb_build_object('from', old.email, 'to', new.email));
  end if;
  if new.role <> old.role then
    perform app.record_event(new.id, 'role_changed', jsonb_build_object('from', old.role, 'to', new.role));
  end if;
  if (new.disabled_at is null) <> (old.disabled_at is null) then
    perform app.record_event(new.id, case when new.disabled_at is null then 'enabled' else 'disabled' end);
  end if;
  return null;
end
$$;
create constraint trigger record_account
  after update of email, email_verified_at, password_proof, role, disabled_at on app.accounts
  deferrable initially deferred for each row execute function app.record_account();

-- A session that goes on under another token is no sign-in.
create function app.record_sign_in() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.sessions s where s.id = app.noted_session() and s.account_id = new.account_id
                    and s.revoked_at >= now()) then
    perform app.record_event(s.account_id, 'signed_in', jsonb_build_object(
              'by', s.authenticated_by, 'address', s.address, 'browser', s.user_agent))
       from app.sessions s where s.id = new.id;
  end if;
  return null;
end
$$;
create constraint trigger record_sign_in after insert on app.sessions
  deferrable initially deferred for each row when (new.expires_at > now()) execute function app.record_sign_in();

-- One row for all that end together. A session that gives way to a new one, of the same browser or as the eleventh, is
-- no act of its own.
create function app.record_sign_out() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_setting('app.signed_out', true) = new.account_id::text
     or exists (select from app.sessions s where s.account_id = new.account_id and s.authenticated_at = now()) then
    return null;
  end if;
  perform set_config('app.signed_out', new.account_id::text, true);
  perform app.record_event(new.account_id, 'sessions_ended', jsonb_build_object('count', (
            select count(*) from app.sessions s where s.account_id = new.account_id and s.revoked_at >= now())));
  return null;
end
$$;
create constraint trigger record_sign_out after update of revoked_at on app.sessions
  deferrable initially deferred for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function app.record_sign_out();

-- One row an hour at most, however many tries: a stranger must not fill the history.
create function app.record_failed_sign_in() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(a.id, 'sign_in_failed')
     from app.sign_in_attempts t join app.accounts a on app.attempt_key('account', a.email) = t.account_key
    where t.id = new.id and not t.succeeded
      and not exists (select from app.security_events e
                       where e.account_id = a.id and e.act = 'sign_in_failed' and e.at > now() - interval '1 hour');
  return null;
end
$$;
create constraint trigger record_failed_sign_in after update of checked on app.sign_in_attempts
  deferrable initially deferred for each row when (new.checked and not old.checked)
  execute function app.record_failed_sign_in();

-- What was asked for and lies there unconfirmed for too long is swept, which is no act.
create function app.record_email_change() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'DELETE' then
    if old.confirmed_at is null and old.expires_at > clock_timestamp() then
      perform app.record_event(old.account_id, 'email_cancelled', jsonb_build_object('to', old.email));
    end if;
  else
    perform app.record_event(new.account_id, 'email_asked', jsonb_build_object('to', new.email));
  end if;
  return null;
end
$$;
create constraint trigger record_email_change after insert or delete on app.email_changes
  deferrable initially deferred for each row execute function app.record_email_change();
create constraint trigger record_email_change_again after update of email on app.email_changes
  deferrable initially deferred for each row execute function app.record_email_change();

create function app.record_passkey() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'DELETE' then
    perform app.record_event(old.account_id, 'passkey_deleted', jsonb_build_object('name', old.name));
  else
    perform app.record_event(new.account_id, 'passkey_added', jsonb_build_object('name', new.name));
  end if;
  return null;
end
$$;
create constraint trigger record_passkey after insert or delete on app.passkeys
  deferrable initially deferred for each row execute function app.record_passkey();

create function app.record_key() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(w.account_id, case tg_op when 'INSERT' then 'key_made' else 'key_revoked' end,
                           jsonb_build_object('name', new.name, 'key', new.head || '…' || new.tail))
     from app.writers w where w.id = new.writer_id and w.account_id is not null;
  return null;
end
$$;
create constraint trigger record_key_made after insert on app.api_keys
  deferrable initially deferred for each row execute function app.record_key();
create constraint trigger record_key_revoked after update of revoked_at on app.api_keys
  deferrable initially deferred for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function app.record_key();

-- Somebody used a key that was revoked or has expired: one row an hour for each key. Of a key that nobody has there is
-- nobody to tell.
create function app.note_dead_key(p_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(w.account_id, 'dead_key_used',
                           jsonb_build_object('name', k.name, 'key', k.head || '…' || k.tail))
     from app.api_keys k join app.writers w on w.id = k.writer_id
    where k.key_hash = p_hash and w.account_id is not null and not app.is_live_key(k)
      and not exists (select from app.security_events e
                       where e.account_id = w.account_id and e.act = 'dead_key_used'
                         and e.facts ->> 'key' = k.head || '…' || k.tail and e.at > now() - interval '1 hour');
end
$$;

-- Links, not the pages that their writer looks at while they work.
create function app.record_link() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'INSERT' and new.revision is null then
    perform app.record_event(new.account_id, 'link_made', jsonb_build_object('piece', new.piece_id));
  elsif tg_op = 'DELETE' and old.revision is null and old.expires_at > clock_timestamp() then
    perform app.record_event(old.account_id, 'link_revoked', jsonb_build_object('piece', old.piece_id));
  end if;
  return null;
end
$$;
create constraint trigger record_link after insert or delete on app.previews
  deferrable initially deferred for each row execute function app.record_link();

-- ---------------------------------------------------------------------------------------------- who reads it

-- For its owner, the newest first.
create function app.security_events_of(p_session_hash bytea, p_before integer, p_limit integer)
  returns table (account_id uuid, number integer, at timestamptz, act text, facts jsonb, previous text, hash text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select e.account_id, e.number, e.at, e.act, e.facts, encode(e.previous, 'hex'), encode(e.hash, 'hex')
      from app.security_events e
     where e.account_id = session.account_id and (p_before is null or e.number < p_before)
     order by e.number desc limit p_limit;
end
$$;

-- Checks the next chains, in the order of their accounts, and keeps the first wrong row of each with its head.
create function app.check_security_chains(p_after uuid, p_most integer)
  returns table (account_id uuid, broken integer)
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with slice as (
      select h.* from app.security_heads h where p_after is null or h.account_id > p_after
       order by h.account_id limit p_most
    ), rows as (
      select e.account_id, e.number, e.hash, s.swept + row_number() over chain as expected,
             e.hash is distinct from app.security_hash(e)
             or e.number <> s.swept + row_number() over chain
             or e.previous is distinct from
                coalesce(lag(e.hash) over chain, case when s.swept = 0 then '' else e.previous end) as wrong
        from slice s join app.security_events e on e.account_id = s.account_id
      window chain as (partition by e.account_id order by e.number)
    ), found as (
      select s.account_id, s.broken as before, coalesce(
               (select min(least(r.number, r.expected)) from rows r where r.account_id = s.account_id and r.wrong),
               (select s.number where s.number > s.swept and not exists (
                  select from rows r where r.account_id = s.account_id and r.number = s.number and r.hash = s.hash))
             )::integer as broken
        from slice s
    ), kept as (
      update app.security_heads h set broken = f.broken from found f
       where h.account_id = f.account_id and f.broken is distinct from f.before
    )
    select f.account_id, f.broken from found f order by f.account_id
  $$;

-- Answers how many there were.
create function app.sweep_security_events() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  with gone as (
    delete from app.security_events e using (
      select o.account_id, o.number from app.security_events o where o.at < now() - interval '1 year'
       order by o.at, o.account_id, o.number limit 5000) old
     where e.account_id = old.account_id and e.number = old.number
    returning e.account_id, e.number
  ), counted as (
    update app.security_heads h set swept = g.last
      from (select account_id, max(number) as last from gone group by account_id) g where h.account_id = g.account_id
  )
  select count(*) into swept from gone;
  return swept;
end
$$;

-- For those who watch: events of the last hour by what happened, wrong tries at addresses of anybody and nobody, and
-- chains that are broken.
create function app.security_figures() returns table (act text, count integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select e.act, count(*)::integer from app.security_events e where e.at > now() - interval '1 hour' group by e.act
     union all
    select 'wrong_try', count(*)::integer from app.sign_in_attempts t
     where t.at > now() - interval '1 hour' and not t.succeeded
     union all
    select 'chain_broken', count(*)::integer from app.security_heads h where h.broken is not null
  $$;

revoke all on function app.security_hash(app.security_events), app.guard_security_events(), app.noted_session(),
  app.place_of_act(uuid), app.record_event(uuid, text, jsonb), app.record_account(), app.record_sign_in(),
  app.record_sign_out(), app.record_failed_sign_in(), app.record_email_change(), app.record_passkey(),
  app.record_key(), app.note_dead_key(bytea), app.record_link(), app.security_events_of(bytea, integer, integer),
  app.check_security_chains(uuid, integer), app.sweep_security_events(), app.security_figures() from public;
grant execute on function app.security_events_of(bytea, integer, integer) to svc_desk;
grant execute on function app.note_dead_key(bytea) to svc_api;
grant execute on function app.check_security_chains(uuid, integer), app.sweep_security_events(),
  app.security_figures() to svc_worker;
