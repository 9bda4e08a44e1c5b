-- Another address, and leaving.
--
-- A new e-mail address is wanted in a fresh session, kept here, and becomes the account's by the link in the letter that
-- goes there: whoever adds a job cannot choose where that letter goes. Whether the address is somebody else's nobody
-- learns but who reads its letters.
-- Leaving takes everything: what was public, pieces and their revisions, keys, sessions, passkeys, profile and account.
-- What stays are rows of the trails, with ids that lead nowhere, and the addresses, which nobody has again.
-- Errors: SF400 not their name, SF401 no live session, SF410 a used or old link, SF419 too many letters, SF428 signed in
-- too long ago.
--
-- Lock: SHARE on app.audit while its index is built, ACCESS EXCLUSIVE on app.writer_audit for an instant.

set local role svc_owner;

-- For a writer who takes their trail along.
create index audit_of_writer on app.audit (writer_id, id);

-- ---------------------------------------------------------------------------------------------- another address

create table app.email_changes (
  account_id uuid        primary key references app.accounts on delete cascade,
  email      text        not null check (email = lower(email) and char_length(email) between 3 and 254),
  asked_at   timestamptz not null default clock_timestamp(),
  -- Of the link, once the letter is written.
  token_hash bytea       unique check (octet_length(token_hash) = 32),
  expires_at timestamptz not null default clock_timestamp() + interval '24 hours'
);
create index email_changes_by_age on app.email_changes (expires_at);

-- Answers with the account. Another wish replaces the one before, and its link with it.
create function app.want_email(p_session_hash bytea, p_email text) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  if (select count(*) from app.mail_tokens t
       where t.account_id = session.account_id and t.created_at > now() - interval '1 hour') >= 10 then
    raise exception 'That was ten letters within an hour, which is the most. Try again later.' using errcode = 'SF419';
  end if;
  -- Counted like every letter; it opens nothing.
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (sha256(convert_to(gen_random_uuid()::text, 'UTF8')), session.account_id, 'known', clock_timestamp());
  insert into app.email_changes (account_id, email) values (session.account_id, p_email)
  on conflict (account_id) do update
     set email = excluded.email, asked_at = excluded.asked_at, token_hash = null, expires_at = excluded.expires_at;
  return session.account_id;
end
$$;

-- Whether somebody has confirmed this address; a sign-up that nobody confirmed is nobody's.
create function app.is_email_taken(p_email text, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.accounts a
                    where a.email = p_email and a.id <> p_account
                      and (a.email_verified_at is not null or exists (select from app.writers w where w.account_id = a.id)))
  $$;

-- For the worker: where the letter goes, and the token's hash kept for it; null where none goes.
create function app.email_change_token(p_account uuid, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  wanted text;
begin
  update app.email_changes c set token_hash = p_token_hash
    from app.accounts a
   where c.account_id = p_account and c.expires_at > clock_timestamp()
     and a.id = c.account_id and a.disabled_at is null and a.email <> c.email
     and not app.is_email_taken(c.email, c.account_id)
  returning c.email into wanted;
  return wanted;
end
$$;

-- By the link in the letter. Every session ends but the one that came with it, if it is the account's own.
create function app.confirm_email(p_token_hash bytea, p_session_hash bytea)
  returns table (account_id uuid, old_email text)
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
    raise exception 'This link was used already or is too old. Ask for a new letter.' using errcode = 'SF410';
  end if;
  -- A sign-up that nobody confirmed gives way; one that is being confirmed at this moment is waited for and stays.
  delete from app.accounts a where a.email = change.email and a.id <> account.id and a.email_verified_at is null;
  update app.accounts a set email = change.email, email_verified_at = clock_timestamp() where a.id = account.id;
  delete from app.email_changes c where c.account_id = account.id;
  update app.mail_tokens t set used_at = clock_timestamp() where t.account_id = account.id and t.used_at is null;
  perform app.end_sessions(account.id, case when session.account_id = account.id then session.id end);
  return query select account.id, account.email;
exception
  when unique_violation then
    raise exception 'This link was used already or is too old. Ask for a new letter.' using errcode = 'SF410';
end
$$;

create function app.sweep_email_changes() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.email_changes where expires_at < now() $$;

-- ---------------------------------------------------------------------------------------------- leaving

-- What a writer's pictures are, for taking them along.
create function app.media_of(p_session_hash bytea)
  returns table (hash text, bytes integer, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select m.hash, m.bytes, m.created_at from app.media m join app.writers w on w.id = m.writer_id
     where w.account_id = session.account_id order by m.created_at, m.hash;
end
$$;
revoke all on function app.media_of(bytea) from public;
grant execute on function app.media_of(bytea) to svc_desk;

-- Rows stay as they are; what moderators wrote of a person goes when the person does.
create function app.guard_writer_audit() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user = 'svc_publisher' and new.note is null
     and (new.id, new.at, new.act, new.writer_id, new.account_id, new.session_id)
         is not distinct from (old.id, old.at, old.act, old.writer_id, old.account_id, old.session_id) then
    return new;
  end if;
  raise insufficient_privilege using message = 'the audit trail is only ever added to';
end
$$;

drop trigger guard_audit on app.writer_audit;
create trigger guard_audit before delete or truncate on app.writer_audit
  for each statement execute function app.guard_audit();
alter table app.writer_audit enable always trigger guard_audit;
create trigger guard_writer_audit before update on app.writer_audit
  for each row execute function app.guard_writer_audit();
alter table app.writer_audit enable always trigger guard_writer_audit;

grant update (note) on app.writer_audit to svc_publisher;
grant delete on app.pieces to svc_publisher;
grant insert on app.retired_slugs to svc_publisher;
grant execute on function app.freshly_signed_in(bytea), app.is_fresh(app.sessions) to svc_publisher;
grant create on schema app to svc_publisher;

set local role svc_publisher;

-- Some of a writer's pieces, public or not, with all that belongs to them; answers how many there were. Called until
-- there are none, within one transaction: readers see all of it gone at the same moment.
create function app.remove_pieces(p_session_hash bytea, p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  going   uuid[];
begin
  perform app.lock_writer(w.id) from app.writers w join app.sessions s on s.account_id = w.account_id
    where s.token_hash = p_session_hash;
  session := app.freshly_signed_in(p_session_hash);
  going := array(select p.id from app.pieces p join app.writers w on w.id = p.writer_id
                  where w.account_id = session.account_id limit p_limit for update of p);
  delete from pub.piece_contents where piece_id = any (going);
  delete from pub.piece_texts where piece_id = any (going);
  delete from pub.pieces where id = any (going);
  delete from app.pieces where id = any (going);
  return cardinality(going);
end
$$;

-- What is public of the writer besides their pieces.
create function app.hide_author(p_writer uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  delete from pub.former_slugs where author_id = p_writer;
  delete from pub.authors where id = p_writer;
  update app.writer_audit set note = null where writer_id = p_writer and note is not null;
  insert into app.writer_audit (act, writer_id) values ('leave', p_writer);
end
$$;

revoke all on function app.remove_pieces(bytea, integer), app.hide_author(uuid) from public;
grant execute on function app.remove_pieces(bytea, integer) to svc_desk;
grant execute on function app.hide_author(uuid) to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;

-- The account, once its pieces are gone. `p_name` is their name as they typed it. Answers with the addresses that must
-- be purged and the one to write to.
create function app.leave(p_session_hash bytea, p_name text) returns table (email text, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  account app.accounts;
  writer  app.writers;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  select a.* into account from app.accounts a where a.id = session.account_id;
  select w.* into writer from app.writers w where w.account_id = account.id for update;
  if coalesce(writer.name, account.name, account.email) is distinct from p_name then
    raise exception 'This is not your name as it is written here.' using errcode = 'SF400';
  end if;
  slugs := array(select writer.slug where writer.id is not null
                 union all select f.slug from app.former_slugs f where f.writer_id = writer.id);
  if writer.id is not null then
    perform app.hide_author(writer.id);
    insert into app.retired_slugs (slug) select unnest(slugs) on conflict do nothing;
    delete from app.writers w where w.id = writer.id;
  end if;
  delete from app.sign_in_attempts t where t.account_key = app.attempt_key('account', account.email);
  delete from app.accounts a where a.id = account.id;
  email := account.email;
  return next;
end
$$;

revoke all on function app.want_email(bytea, text), app.is_email_taken(text, uuid), app.email_change_token(uuid, bytea),
  app.confirm_email(bytea, bytea), app.sweep_email_changes(), app.guard_writer_audit(), app.leave(bytea, text)
  from public;
grant execute on function app.want_email(bytea, text), app.confirm_email(bytea, bytea), app.leave(bytea, text)
  to svc_desk;
grant execute on function app.email_change_token(uuid, bytea), app.sweep_email_changes() to svc_worker;
