-- Seven days before an account is deleted for good; and codes that sign in when everything else is lost.
--
-- Whoever asks for it is told the date, at the desk and by email; until then everything stays as it is. A button at the
-- desk and the link in the email cancel it, and so does whatever ends what waits (0027): somebody who came in and asked
-- for it destroys nothing of an owner who takes their account back. The worker deletes what is due.
-- Recovery codes are ten, of 80 random bits, each for one sign-in in place of a password. A try at one is counted like a
-- try at a password. A password that is set by a link in an email deletes all of them: whoever came in may have made them.
-- Errors: SF400 not their name, SF401 no live session, SF404 the account is not to be deleted, SF410 a used or old link,
-- SF419 asked for too often, SF428 signed in too long ago.
--
-- Lock: ACCESS EXCLUSIVE on app.accounts, app.mail_tokens and app.sessions for an instant.

set local role svc_owner;

alter table app.accounts
  add column delete_asked_at timestamptz,
  add column delete_at       timestamptz,
  add check ((delete_asked_at is null) = (delete_at is null));
create index accounts_to_delete on app.accounts (delete_at) where delete_at is not null;

alter table app.mail_tokens
  drop constraint mail_tokens_kind_check,
  add constraint mail_tokens_kind_check check (kind in ('verify', 'reset', 'known', 'recover', 'keep'));

-- Answers when. Asked for again, the date stays. `p_name` is their name as they typed it.
create function app.ask_deletion(p_session_hash bytea, p_name text, out delete_at timestamptz, out is_new boolean)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  account app.accounts;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  select a.* into account from app.accounts a where a.id = session.account_id;
  if coalesce((select w.name from app.writers w where w.account_id = account.id), account.name, account.email)
     is distinct from p_name then
    raise exception 'This is not your name as it is written here.' using errcode = 'SF400';
  end if;
  is_new := account.delete_at is null;
  if is_new then
    -- Each is an email.
    if (select count(*) from app.security_events e
         where e.account_id = account.id and e.act = 'deletion_asked' and e.at > now() - interval '1 hour') >= 5 then
      raise exception 'That was five times within an hour, which is the most. Try again later.' using errcode = 'SF419';
    end if;
    update app.accounts a set delete_asked_at = clock_timestamp(), delete_at = clock_timestamp() + interval '7 days'
     where a.id = account.id returning a.* into account;
  end if;
  delete_at := account.delete_at;
end
$$;

create function app.keep_account(p_account uuid) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept boolean;
begin
  update app.accounts a set delete_asked_at = null, delete_at = null where a.id = p_account and a.delete_at is not null;
  kept := found;
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = p_account and t.kind = 'keep' and t.used_at is null;
  return kept;
end
$$;

-- Answers whether it was to be deleted.
create function app.cancel_deletion(p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_account_of(p_session_hash);
  return app.keep_account((app.signed_in(p_session_hash)).account_id);
end
$$;

-- By the link in the email.
create function app.cancel_deletion_by_link(p_token_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.accounts a
    where a.id = (select t.account_id from app.mail_tokens t where t.token_hash = p_token_hash) for no key update;
  perform app.keep_account((app.live_token(p_token_hash, 'keep')).account_id);
end
$$;

-- As in 0027, and an account that was to be deleted stays.
create or replace function app.end_what_waits(p_account uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.email_changes c where c.account_id = p_account and c.confirmed_at is null;
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = p_account and t.used_at is null and t.kind <> 'recover';
  delete from app.challenges c where c.account_id = p_account;
  perform app.keep_account(p_account);
end
$$;

-- For the worker: where the email goes and what it says, and the link's hash kept for it; none where it was cancelled.
create function app.deletion_token(p_account uuid, p_token_hash bytea) returns table (email text, at timestamptz)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  select a.* into account from app.accounts a where a.id = p_account and a.delete_at is not null for no key update;
  if not found then
    return;
  end if;
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (p_token_hash, p_account, 'keep', account.delete_at);
  return query select account.email, account.delete_at;
end
$$;

create function app.record_deletion() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(new.id, case when new.delete_at is null then 'deletion_cancelled' else 'deletion_asked' end);
  return null;
end
$$;
create constraint trigger record_deletion after update of delete_at on app.accounts
  deferrable initially deferred for each row when ((old.delete_at is null) <> (new.delete_at is null))
  execute function app.record_deletion();

-- ---------------------------------------------------------------------------------------------- recovery codes

create table app.recovery_codes (
  account_id uuid        not null references app.accounts on delete cascade,
  code_hash  bytea       not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  used_at    timestamptz,
  primary key (account_id, code_hash)
);

alter table app.sessions
  drop constraint sessions_authenticated_by_check,
  add constraint sessions_authenticated_by_check
    check (authenticated_by in ('password', 'passkey', 'recovery_code'));

-- Ten new ones in place of those before.
create function app.make_recovery_codes(p_session_hash bytea, p_hashes bytea[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  delete from app.recovery_codes c where c.account_id = session.account_id;
  insert into app.recovery_codes (account_id, code_hash)
  select session.account_id, h from unnest(p_hashes) h order by h limit 10;
end
$$;

-- As app.open_session, with a code, which is then used up. Every other session ends, and what waits. Answers with the
-- account; null where the code is wrong, since an error would undo the count.
create function app.open_session_by_code(p_attempt uuid, p_email text, p_code_hash bytea,
                                         p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  select a.* into account from app.accounts a where a.email = p_email for no key update;
  update app.sign_in_attempts t set checked = true
   where t.id = p_attempt and not t.checked and t.account_key = app.attempt_key('account', p_email)
     and t.at > clock_timestamp() - interval '1 minute';
  if not found or account.email_verified_at is null or account.disabled_at is not null then
    return null;
  end if;
  update app.recovery_codes c set used_at = clock_timestamp()
   where c.account_id = account.id and c.code_hash = p_code_hash and c.used_at is null;
  if not found then
    return null;
  end if;
  update app.sign_in_attempts t set succeeded = true where t.id = p_attempt;
  perform app.end_what_waits(account.id);
  perform app.end_sessions(account.id, null);
  perform app.start_session(account.id, p_token_hash, p_user_agent, p_address, p_replaced);
  update app.sessions s set authenticated_by = 'recovery_code' where s.token_hash = p_token_hash;
  return account.id;
end
$$;

-- A new password by a link in an email, not in a session: what was made before by whomever ends.
create function app.drop_recovery_codes() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if app.noted_session() is null then
    delete from app.recovery_codes c where c.account_id = new.id;
  end if;
  return null;
end
$$;
create trigger drop_recovery_codes after update of password_proof on app.accounts
  for each row when (old.password_proof is distinct from new.password_proof)
  execute function app.drop_recovery_codes();

-- One row for the ten of them.
create function app.record_recovery_codes() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_setting('app.codes_made', true) is distinct from new.account_id::text then
    perform set_config('app.codes_made', new.account_id::text, true);
    perform app.record_event(new.account_id, 'recovery_codes_made');
  end if;
  return null;
end
$$;
create constraint trigger record_recovery_codes after insert on app.recovery_codes
  deferrable initially deferred for each row execute function app.record_recovery_codes();

create function app.account_safety_of(p_session_hash bytea)
  returns table (delete_asked_at timestamptz, delete_at timestamptz, codes_left integer, codes_made_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.delete_asked_at, a.delete_at,
           (select count(*)::integer from app.recovery_codes c where c.account_id = a.id and c.used_at is null),
           (select max(c.created_at) from app.recovery_codes c where c.account_id = a.id)
      from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

-- ---------------------------------------------------------------------------------------------- when it is due

create function app.due_deletions() returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select a.id from app.accounts a where a.delete_at <= now() order by a.delete_at limit 100 $$;

-- Locks the account until it is gone, so that nobody keeps half of it. Answers whether it is still to be deleted.
create function app.begin_deletion(p_account uuid) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.accounts a where a.id = p_account and a.delete_at <= now() for update;
  return found;
end
$$;

drop function app.remove_pieces(bytea, integer);
drop function app.leave(bytea, text);

grant select (delete_at) on app.accounts to svc_publisher;
grant create on schema app to svc_publisher;
set local role svc_publisher;

-- As in 0017, of an account that is due.
create function app.remove_pieces(p_account uuid, p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  going uuid[];
begin
  perform app.lock_writer(w.id) from app.writers w where w.account_id = p_account;
  going := array(select p.id from app.pieces p join app.writers w on w.id = p.writer_id
                   join app.accounts a on a.id = w.account_id
                  where a.id = p_account and a.delete_at <= now() limit p_limit for update of p);
  delete from pub.piece_contents where piece_id = any (going);
  delete from pub.piece_texts where piece_id = any (going);
  delete from pub.pieces where id = any (going);
  delete from app.pieces where id = any (going);
  return cardinality(going);
end
$$;
revoke all on function app.remove_pieces(uuid, integer) from public;
grant execute on function app.remove_pieces(uuid, integer) to svc_worker;
set local role svc_owner;
revoke create on schema app from svc_publisher;

-- The account, once its pieces are gone: app.leave of 0029, when it is due. Answers with the addresses that must be purged
-- and the one to write to.
create function app.delete_account(p_account uuid) returns table (email text, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
  writer  app.writers;
begin
  select a.* into account from app.accounts a where a.id = p_account and a.delete_at <= now() for update;
  if not found then
    raise exception 'This account is not to be deleted now.' using errcode = 'SF404';
  end if;
  select w.* into writer from app.writers w where w.account_id = account.id for update;
  slugs := array(select writer.slug where writer.id is not null
                 union all select f.slug from app.former_slugs f where f.writer_id = writer.id);
  if writer.id is not null then
    perform app.hide_author(writer.id);
    insert into app.retired_slugs (slug) select unnest(slugs) on conflict do nothing;
    delete from app.writers w where w.id = writer.id;
  end if;
  update app.reports r set email = null where lower(r.email) = account.email;
  delete from jobs.job j
   where lower(j.data ->> 'email') = account.email
      or account.id::text in (j.data ->> 'account', j.data -> 'to' ->> 'account')
      or j.data ->> 'writer' = writer.id::text;
  delete from app.sign_in_attempts t where t.account_key = app.attempt_key('account', account.email);
  delete from app.accounts a where a.id = account.id;
  email := account.email;
  return next;
end
$$;

revoke all on function app.ask_deletion(bytea, text), app.keep_account(uuid), app.cancel_deletion(bytea),
  app.cancel_deletion_by_link(bytea), app.deletion_token(uuid, bytea), app.record_deletion(),
  app.make_recovery_codes(bytea, bytea[]), app.drop_recovery_codes(), app.record_recovery_codes(),
  app.open_session_by_code(uuid, text, bytea, bytea, text, text, bytea),
  app.account_safety_of(bytea), app.due_deletions(), app.begin_deletion(uuid), app.delete_account(uuid) from public;
grant execute on function app.ask_deletion(bytea, text), app.cancel_deletion(bytea), app.cancel_deletion_by_link(bytea),
  app.make_recovery_codes(bytea, bytea[]), app.open_session_by_code(uuid, text, bytea, bytea, text, text, bytea),
  app.account_safety_of(bytea) to svc_desk;
grant execute on function app.deletion_token(uuid, bytea), app.due_deletions(), app.begin_deletion(uuid),
  app.delete_account(uuid) to svc_worker;
