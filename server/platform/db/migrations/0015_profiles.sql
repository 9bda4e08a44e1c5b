-- Profiles: a writer changes their own, moves to another address, and has their website checked.
--
-- What is public of a writer changes in public at once, through functions that demand a live session of the writer; what
-- is not public yet stays so. A name that was verified is verified no more once it is another.
-- Errors: SF400 not a slug, no website, SF401 no live session, SF403 not a writer, SF419 five moves in a day or two
-- checks in half a minute, SF4ST another's address, or one that could be taken for it.
-- Each act locks the writer first and looks at the session then: one that ended meanwhile does nothing.
--
-- Lock: SHARE on app.writers and app.former_slugs while their indexes are built, ACCESS EXCLUSIVE on pub.authors for an
-- instant.

set local role svc_owner;

-- What happened to a writer, where app.audit tells what happened to a piece. Who did it is null for the house itself.
create table app.writer_audit (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  act        text        not null check (act in ('rename', 'new_name', 'verify_identity', 'withdraw_identity',
                                                 'prove_website', 'lose_website', 'leave')),
  writer_id  uuid        not null,
  account_id uuid,
  session_id uuid,
  note       text        check (char_length(note) <= 2000)
);
create index writer_audit_of_writer on app.writer_audit (writer_id, id);
create index writer_audit_by_time on app.writer_audit (at, id);

create trigger guard_audit before update or delete or truncate on app.writer_audit
  for each statement execute function app.guard_audit();
alter table app.writer_audit enable always trigger guard_audit;

-- ---------------------------------------------------------------------------------------------- addresses

-- Slugs that a reader could take for one another have the same: 0 for o, 1 for l, rn for m, vv for w.
create function app.slug_skeleton(p_slug text) returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  as $$ select translate(replace(replace(p_slug, 'rn', 'm'), 'vv', 'w'), '01', 'ol') $$;

create index writers_by_skeleton on app.writers (app.slug_skeleton(slug));
create index former_slugs_by_skeleton on app.former_slugs (app.slug_skeleton(slug));

-- Addresses of writers who have left. Nobody has them again: what links there meant somebody else.
create table app.retired_slugs (
  slug       text        primary key,
  retired_at timestamptz not null default now()
);
create index retired_slugs_by_skeleton on app.retired_slugs (app.slug_skeleton(slug));

create function app.guard_slug() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.retired_slugs r where r.slug = new.slug) then
    raise unique_violation using message = 'this address belonged to a writer who has left';
  end if;
  return new;
end
$$;

create trigger guard_slug before insert or update of slug on app.writers
  for each row execute function app.guard_slug();
alter table app.writers enable always trigger guard_slug;

-- Whether it is, was or could be taken for the address of somebody else, or of the house itself.
create function app.is_slug_taken(p_slug text, p_writer uuid) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  skeleton text := app.slug_skeleton(p_slug);
begin
  return not app.is_free_slug(skeleton)
      or exists (select from app.writers w where app.slug_skeleton(w.slug) = skeleton and w.id is distinct from p_writer)
      or exists (select from app.former_slugs f
                  where app.slug_skeleton(f.slug) = skeleton and f.writer_id is distinct from p_writer)
      or exists (select from app.retired_slugs r where app.slug_skeleton(r.slug) = skeleton);
end
$$;

-- The old address goes on leading to the writer. One that was somebody else's former address is taken over: only an
-- operator comes here with such.
create function app.rename_writer(p_writer uuid, p_slug text, p_session app.sessions) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  left_behind text;
begin
  select w.slug into left_behind from app.writers w where w.id = p_writer for update;
  if left_behind = p_slug then
    return;
  end if;
  update app.writers w set slug = p_slug where w.id = p_writer;
  delete from app.former_slugs f where f.slug = p_slug;
  insert into app.former_slugs (slug, writer_id) values (left_behind, p_writer)
  on conflict (slug) do update set writer_id = excluded.writer_id;
  insert into app.writer_audit (act, writer_id, account_id, session_id)
  values ('rename', p_writer, p_session.account_id, p_session.id);
end
$$;

-- ---------------------------------------------------------------------------------------------- websites

-- What looking for the proof on a writer's website has found; none before they ask. The mark itself is
-- app.writers.website_verified_at.
create table app.website_checks (
  writer_id         uuid        primary key references app.writers on delete cascade,
  website           text        not null,
  state             text        not null check (state in ('waiting', 'proven', 'not_found', 'unreachable')),
  method            text        check (method in ('rel_me', 'meta')),
  -- Where the proof stands, or in a sentence why it was not found.
  evidence          text        check (char_length(evidence) <= 4096),
  asked_at          timestamptz not null default clock_timestamp(),
  checked_at        timestamptz,
  -- When the proof was last seen, and since when it has stood.
  found_at          timestamptz,
  proven_at         timestamptz,
  unreachable_since timestamptz
);
create index website_checks_by_age on app.website_checks (checked_at nulls first);

alter table app.website_checks enable row level security;
create policy desk_reads_own on app.website_checks for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy publisher_acts on app.website_checks to svc_publisher using (true) with check (true);
grant select on app.website_checks to svc_desk;
grant select, insert, update, delete on app.website_checks to svc_publisher;

-- When the proof was last seen, for the public page: its date moves with every check.
alter table pub.authors add column website_checked_at timestamptz;

create function app.date_website() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.website_checked_at := case when new.website_verified
    then (select c.found_at from app.website_checks c where c.writer_id = new.id) end;
  return new;
end
$$;

create trigger date_website before insert or update on pub.authors
  for each row execute function app.date_website();
alter table pub.authors enable always trigger date_website;

-- Which website to look at, for whose address. Nothing for a writer who is gone or barred, or has none.
create function app.website_to_check(p_writer uuid)
  returns table (website text, slugs text[])
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select w.website, array[w.slug] || array(select f.slug from app.former_slugs f where f.writer_id = w.id)
      from app.writers w left join app.accounts a on a.id = w.account_id
     where w.id = p_writer and w.website is not null and a.disabled_at is null;
end
$$;

-- Whoever asked once is looked at every day.
create function app.websites_due(p_limit integer) returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select c.writer_id from app.website_checks c
     where c.checked_at < now() - interval '23 hours'
        or (c.checked_at is null and c.asked_at < now() - interval '1 hour')
     order by c.checked_at nulls first limit p_limit
  $$;

-- ---------------------------------------------------------------------------------------------- the writer's acts

grant select, insert on app.writer_audit to svc_publisher;
grant select on app.retired_slugs to svc_publisher;
grant update (slug, name, bio, role, niche, location, website, socials, search_text, identity_verified_at,
              website_verified_at) on app.writers to svc_publisher;
grant insert, update, delete on app.former_slugs to svc_publisher;
revoke all on function app.slug_skeleton(text), app.guard_slug(), app.is_slug_taken(text, uuid),
  app.rename_writer(uuid, text, app.sessions), app.date_website(), app.website_to_check(uuid), app.websites_due(integer)
  from public;
grant execute on function app.slug_skeleton(text), app.is_free_slug(text), app.is_slug_taken(text, uuid),
  app.rename_writer(uuid, text, app.sessions) to svc_publisher;
grant execute on function app.website_to_check(uuid), app.websites_due(integer) to svc_worker;

grant create on schema app to svc_publisher;
set local role svc_publisher;

create function app.show_if_public(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from pub.authors a where a.id = p_writer) then
    perform app.show_author(p_writer);
  end if;
end
$$;

-- The writer of this session, for this act alone until it is done.
create function app.own_writer(p_session_hash bytea) returns app.writers
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  mine    app.writers;
begin
  perform app.lock_writer(w.id) from app.writers w join app.sessions s on s.account_id = w.account_id
    where s.token_hash = p_session_hash;
  session := app.signed_in(p_session_hash);
  select w.* into mine from app.writers w where w.account_id = session.account_id;
  if not found then
    raise exception 'Only writers have a profile. Sign in with the account of a writer.' using errcode = 'SF403';
  end if;
  return mine;
end
$$;

-- Another name is not the one that was verified, and another website not the one that was proven.
create function app.desk_set_profile(p_session_hash bytea, p_name text, p_bio text, p_role text, p_niche text,
                                     p_location text, p_website text, p_socials jsonb, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine         app.writers := app.own_writer(p_session_hash);
  session      app.sessions := app.signed_in(p_session_hash);
  same_name    boolean := p_name = mine.name;
  same_website boolean := p_website is not distinct from mine.website;
begin
  update app.writers w set
    name = p_name, bio = p_bio, role = p_role, niche = p_niche, location = p_location, website = p_website,
    socials = p_socials, search_text = p_search_text,
    identity_verified_at = case when same_name then w.identity_verified_at end,
    website_verified_at = case when same_website then w.website_verified_at end
   where w.id = mine.id;
  if not same_name and mine.identity_verified_at is not null then
    insert into app.writer_audit (act, writer_id, account_id, session_id)
    values ('new_name', mine.id, session.account_id, session.id);
  end if;
  if not same_website then
    delete from app.website_checks c where c.writer_id = mine.id;
  end if;
  perform app.show_if_public(mine.id);
end
$$;

create function app.desk_rename(p_session_hash bytea, p_slug text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine    app.writers := app.own_writer(p_session_hash);
  session app.sessions := app.signed_in(p_session_hash);
begin
  if mine.slug = p_slug then
    return;
  end if;
  if not app.is_free_slug(p_slug) then
    raise exception 'This cannot be an address here.' using errcode = 'SF400';
  end if;
  -- One at a time for each look: two who want addresses alike cannot both have theirs.
  perform pg_advisory_xact_lock(hashtextextended(app.slug_skeleton(p_slug), 4));
  if app.is_slug_taken(p_slug, mine.id) then
    raise exception 'This address is somebody else’s, or looks like one that is. Choose another.' using errcode = 'SF4ST';
  end if;
  if (select count(*) from app.writer_audit t
       where t.writer_id = mine.id and t.act = 'rename' and t.at > clock_timestamp() - interval '1 day') >= 5 then
    raise exception 'You have moved five times within a day, which is the most. Try again tomorrow.'
      using errcode = 'SF419';
  end if;
  perform app.rename_writer(mine.id, p_slug, session);
  perform app.show_if_public(mine.id);
exception
  when unique_violation then
    raise exception 'This address is somebody else’s, or looks like one that is. Choose another.' using errcode = 'SF4ST';
end
$$;

-- Answers whether somebody has to look: not while the last who was asked may still be looking. Each look calls a
-- stranger's server, which answers one writer every thirty seconds and no more.
create function app.desk_ask_website_check(p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
begin
  if mine.website is null then
    raise exception 'There is no website to check. Write its address into your profile first.' using errcode = 'SF400';
  end if;
  insert into app.website_checks as known (writer_id, website, state) values (mine.id, mine.website, 'waiting')
  on conflict (writer_id) do update set state = 'waiting', asked_at = clock_timestamp()
   where known.asked_at < clock_timestamp() - case known.state when 'waiting' then interval '1 minute'
                                                               else interval '30 seconds' end;
  if not found and exists (select from app.website_checks c where c.writer_id = mine.id and c.state <> 'waiting') then
    raise exception 'We looked at your website a moment ago. Ask again in half a minute.' using errcode = 'SF419';
  end if;
  return found;
end
$$;

-- For the worker: what it found. Answers with the address of whose mark has changed, for the caches; null where none has.
-- A website that answers without the proof loses the mark at once, one that cannot be reached after three days.
create function app.keep_website_check(p_writer uuid, p_website text, p_state text, p_method text, p_evidence text)
  returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  mine   app.writers;
  kept   app.website_checks;
begin
  perform app.lock_writer(p_writer);
  select w.* into mine from app.writers w where w.id = p_writer;
  if mine.id is null or mine.website is distinct from p_website then
    return null;
  end if;
  update app.website_checks c set
    website = p_website, state = p_state, evidence = p_evidence, checked_at = moment,
    method = case p_state when 'unreachable' then c.method else p_method end,
    found_at = case p_state when 'proven' then moment else c.found_at end,
    proven_at = case when p_state = 'proven' then coalesce(c.proven_at, moment)
                     when p_state = 'unreachable'
                      and coalesce(c.unreachable_since, moment) > moment - interval '3 days' then c.proven_at end,
    unreachable_since = case p_state when 'unreachable' then coalesce(c.unreachable_since, moment) end
   where c.writer_id = p_writer
  returning c.* into kept;
  if not found then
    return null;
  end if;

  update app.writers w set website_verified_at = kept.proven_at where w.id = p_writer;
  if p_state = 'proven' or (mine.website_verified_at is not null and kept.proven_at is null) then
    perform app.show_if_public(p_writer);
  end if;
  if (mine.website_verified_at is null) = (kept.proven_at is null) then
    return null;
  end if;
  insert into app.writer_audit (act, writer_id)
  values (case when kept.proven_at is null then 'lose_website' else 'prove_website' end, p_writer);
  return mine.slug;
end
$$;

revoke all on function app.show_if_public(uuid), app.own_writer(bytea),
  app.desk_set_profile(bytea, text, text, text, text, text, text, jsonb, text), app.desk_rename(bytea, text),
  app.desk_ask_website_check(bytea), app.keep_website_check(uuid, text, text, text, text)
  from public;
grant execute on function app.own_writer(bytea),
  app.desk_set_profile(bytea, text, text, text, text, text, text, jsonb, text), app.desk_rename(bytea, text),
  app.desk_ask_website_check(bytea)
  to svc_desk;
grant execute on function app.keep_website_check(uuid, text, text, text, text) to svc_worker;

set local role svc_owner;
revoke create on schema app from svc_publisher;
