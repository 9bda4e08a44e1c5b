-- Keys, and rows that answer to credentials.
--
-- Who a connection acts for is not a name the application sets but a credential the database looks up: the hash of a
-- live key (svc_api) or of a live session (svc_desk). A revoked key or session therefore stops inside the database,
-- in every process, with the next statement; and whoever could run SQL as svc_api would still need somebody's key.
--
-- Lock: ACCESS EXCLUSIVE on app.pieces for an instant.

set local role svc_owner;

-- The key itself is shown once and never stored.
create table app.api_keys (
  id           uuid        primary key default gen_random_uuid(),
  writer_id    uuid        not null references app.writers on delete cascade,
  name         text        not null check (char_length(name) between 1 and 80),
  key_hash     bytea       not null unique check (octet_length(key_hash) = 32),
  -- "pk_live_1a2b" and "9c0d": enough for a person to tell keys apart.
  head         text        not null check (char_length(head) = 12),
  tail         text        not null check (char_length(tail) = 4),
  scopes       text[]      not null default '{pieces:write}' check (scopes <@ array['pieces:write']),
  created_at   timestamptz not null default date_trunc('milliseconds', now()),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index api_keys_of_writer on app.api_keys (writer_id, created_at desc);

create function app.acting_hash(p_setting text) returns bytea
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return decode(nullif(current_setting(p_setting, true), ''), 'hex');
end
$$;

-- A key unused for a year is dead: nobody remembers where it lies.
-- In plpgsql, as are the others that run with every statement: it keeps its plans for the whole connection, where SQL
-- plans anew at each call (216 µs against 25).
create function app.is_live_key(p_key app.api_keys) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return p_key.revoked_at is null
     and (p_key.expires_at is null or p_key.expires_at > clock_timestamp())
     and coalesce(p_key.last_used_at, p_key.created_at) > clock_timestamp() - interval '1 year';
end
$$;

create function app.live_key(p_hash bytea) returns app.api_keys
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_key app.api_keys;
begin
  select k.* into found_key from app.api_keys k
    join app.writers w on w.id = k.writer_id
    left join app.accounts a on a.id = w.account_id
   where k.key_hash = p_hash and a.disabled_at is null;
  return case when app.is_live_key(found_key) then found_key end;
end
$$;

create function app.key_writer() returns uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
begin
  return live.writer_id;
end
$$;

-- Whose key this is, if it is live; notes its use, once a minute at most.
create function app.key_holder(p_hash bytea)
  returns table (key_id uuid, writer_id uuid, scopes text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.api_keys := app.live_key(p_hash);
begin
  if live.id is null then
    return;
  end if;
  if live.last_used_at is null or live.last_used_at < clock_timestamp() - interval '1 minute' then
    -- Skips the row while another request notes the same.
    update app.api_keys k set last_used_at = clock_timestamp()
     where k.id = (select u.id from app.api_keys u where u.id = live.id for no key update skip locked);
  end if;
  return query
    select live.id, live.writer_id, live.scopes;
end
$$;

create function app.acting_session() returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hash bytea := app.acting_hash('app.session_hash');
begin
  return case when hash is not null then app.session_of(hash) end;
end
$$;

create function app.session_writer() returns uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.acting_session();
begin
  return (select w.id from app.writers w where w.account_id = session.account_id);
end
$$;

create function app.session_moderates() returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.acting_session();
begin
  return exists (select from app.accounts a where a.id = session.account_id and a.role in ('moderator', 'operator'));
end
$$;

-- The desk's own acts on keys. Each locks first and looks at the session then: one that ended meanwhile does nothing.

create function app.mint_key(p_session_hash bytea, p_name text, p_key_hash bytea, p_head text, p_tail text,
                             p_scopes text[], p_expires_at timestamptz) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
  minted uuid;
begin
  -- One at a time, so that two requests cannot both be the twentieth.
  select w.id into writer
    from app.writers w join app.sessions s on s.account_id = w.account_id
   where s.token_hash = p_session_hash
     for no key update of w;
  perform app.freshly_signed_in(p_session_hash);
  if writer is null then
    raise exception 'Only writers have keys. Sign in with the account of a writer.' using errcode = 'SF403';
  end if;
  if (select count(*) from app.api_keys k where k.writer_id = writer and app.is_live_key(k)) >= 20 then
    raise exception 'You have 20 keys, which is the most. Revoke one you no longer use.' using errcode = 'SF419';
  end if;
  insert into app.api_keys (writer_id, name, key_hash, head, tail, scopes, expires_at)
  values (writer, p_name, p_key_hash, p_head, p_tail, p_scopes, p_expires_at) returning id into minted;
  return minted;
end
$$;

create function app.keys_of(p_session_hash bytea)
  returns table (id uuid, name text, head text, tail text, scopes text[], created_at timestamptz,
                 expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select k.id, k.name, k.head, k.tail, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
      from app.api_keys k join app.writers w on w.id = k.writer_id
     where w.account_id = session.account_id
     order by k.created_at desc, k.id;
end
$$;

create function app.revoke_key(p_session_hash bytea, p_key uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  holder  uuid;
  session app.sessions;
begin
  select w.account_id into holder
    from app.api_keys k join app.writers w on w.id = k.writer_id
   where k.id = p_key
     for update of k;
  session := app.signed_in(p_session_hash);
  if holder is distinct from session.account_id then
    raise exception 'You have no such key. The list of your keys shows those you have.' using errcode = 'SF404';
  end if;
  update app.api_keys k set revoked_at = clock_timestamp() where k.id = p_key and k.revoked_at is null;
end
$$;

-- Rows of pieces answer to credentials. Moderators see what waits for them and nothing else: of a public piece they read
-- what everybody does, and what its writer has changed since is their own, as is what was sent back.

drop policy key_reads_own on app.pieces;
drop policy key_drafts on app.pieces;
drop policy key_edits_drafts on app.pieces;
drop policy key_deletes_drafts on app.pieces;
drop policy desk_reads_own on app.pieces;
drop policy desk_drafts on app.pieces;
drop policy desk_edits_own on app.pieces;
drop policy desk_deletes_drafts on app.pieces;
drop function app.current_writer();

create policy key_reads_own on app.pieces for select to svc_api
  using (writer_id = (select app.key_writer()));
create policy key_drafts on app.pieces for insert to svc_api
  with check (writer_id = (select app.key_writer()) and editor_status = 'draft');
create policy key_edits_drafts on app.pieces for update to svc_api
  using (writer_id = (select app.key_writer()) and editor_status = 'draft')
  with check (writer_id = (select app.key_writer()) and editor_status = 'draft');
create policy key_deletes_drafts on app.pieces for delete to svc_api
  using (writer_id = (select app.key_writer()) and editor_status = 'draft');

create policy desk_reads_own on app.pieces for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy desk_reviews on app.pieces for select to svc_desk
  using (editor_status = 'pending' and (select app.session_moderates()));
create policy desk_drafts on app.pieces for insert to svc_desk
  with check (writer_id = (select app.session_writer()) and editor_status = 'draft');
-- Not while a moderator is reading it, nor after it was refused: Withdraw or Revise comes first.
create policy desk_edits_own on app.pieces for update to svc_desk
  using (writer_id = (select app.session_writer()) and editor_status in ('draft', 'approved', 'changes_requested'))
  with check (writer_id = (select app.session_writer()));
create policy desk_deletes_drafts on app.pieces for delete to svc_desk
  using (writer_id = (select app.session_writer()) and editor_status = 'draft');

-- A key reads what lists show of every piece of its writer; bodies only through app.draft_body.
revoke select on app.pieces from svc_api;
grant select (id, writer_id, editor_status, headline, sub, category, tags, frame, style, locale, fields, revision,
              created_at, updated_at) on app.pieces to svc_api;

revoke all on function app.acting_hash(text), app.is_live_key(app.api_keys), app.live_key(bytea), app.key_writer(),
  app.key_holder(bytea), app.acting_session(), app.session_writer(), app.session_moderates(),
  app.mint_key(bytea, text, bytea, text, text, text[], timestamptz), app.keys_of(bytea), app.revoke_key(bytea, uuid)
  from public;
grant execute on function app.key_writer(), app.key_holder(bytea) to svc_api;
grant execute on function app.session_writer(), app.session_moderates(),
  app.mint_key(bytea, text, bytea, text, text, text[], timestamptz), app.keys_of(bytea), app.revoke_key(bytea, uuid)
  to svc_desk;
