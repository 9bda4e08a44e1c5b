-- Reports of illegal content, of private information, and of listings.
--
-- A report of illegal content says why it is illegal and where exactly, in good faith (Regulation (EU) 2022/2065, article
-- 16); the reporter's name and address are theirs to give. The name is kept with the address and goes with it.
-- Listings are reported as pieces are and wait in the same queue, illegal content first.
-- `p_kind` is 'piece' or 'listing' throughout: people choose the ids of both, so an id alone names neither.
-- Errors as in 0011 and 0024.
--
-- Lock: ACCESS EXCLUSIVE on app.reports and app.products for an instant.

set local role svc_owner;

alter table app.reports
  alter column piece_id drop not null,
  add column product_id uuid references app.products on delete cascade,
  -- Where exactly it is, in the reporter's words.
  add column place text check (char_length(place) between 1 and 1000),
  add column name text check (char_length(name) between 1 and 200),
  add column good_faith boolean not null default false,
  add constraint reports_of_one check (num_nonnulls(piece_id, product_id) = 1),
  add constraint reports_name_with_email check (name is null or email is not null),
  drop constraint reports_reason_check,
  add constraint reports_reason_check check (reason in ('spam', 'harassment', 'illegal', 'copyright',
    'private_information', 'impersonation', 'danger', 'other')),
  add constraint reports_illegal_complete check (reason <> 'illegal'
    or (note is not null and place is not null and good_faith));
create index reports_of_product on app.reports (product_id) where product_id is not null;

-- Whatever takes the address takes the name.
create function app.forget_reporter_name() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.name := null;
  return new;
end
$$;
create trigger forget_reporter_name before update on app.reports
  for each row when (old.name is not null and new.email is null) execute function app.forget_reporter_name();
alter table app.reports enable always trigger forget_reporter_name;

drop function app.report_piece(uuid, text, text, text, text);
drop function app.reportable_piece(uuid);
drop function app.demand_public(uuid);
drop function app.open_reports(bytea, timestamptz, uuid, integer);
drop function app.reports_of(bytea, uuid);
drop function app.dismiss_reports(bytea, uuid);
drop function app.take_reporters(bytea, uuid);

-- What a report is about, as everybody may know it.
create function app.reportable(p_kind text, p_id uuid)
  returns table (kind text, id uuid, writer_id uuid, headline text, locale text, slug text, writer_slug text,
                 writer_name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select 'piece', p.id, a.id, p.headline, p.locale, p.slug, a.slug, a.name
      from pub.pieces p join pub.authors a on a.id = p.author_id where p_kind = 'piece' and p.id = p_id
    union all
    select 'listing', p.id, a.id, p.name, null, p.slug, a.slug, a.name
      from pub.products p join pub.authors a on a.id = p.author_id where p_kind = 'listing' and p.id = p_id
  $$;

create function app.demand_public(p_kind text, p_id uuid) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.reportable(p_kind, p_id)) then
    raise exception 'No public % has this id.', p_kind using errcode = 'SF404';
  end if;
end
$$;

-- The open ones of one piece or listing.
create function app.open_reports_of(p_kind text, p_id uuid) returns setof app.reports
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select r.* from app.reports r where p_kind = 'piece' and r.piece_id = p_id and r.settled_at is null
    union all
    select r.* from app.reports r where p_kind = 'listing' and r.product_id = p_id and r.settled_at is null
  $$;

-- The same report sent twice is one. Three open ones of an address are enough, and so are a thousand of a piece: what
-- comes after those is thanked for and not kept.
create function app.report(p_kind text, p_id uuid, p_reason text, p_note text, p_email text, p_place text, p_name text,
                           p_good_faith boolean, p_address text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hash bytea;
begin
  perform app.demand_public(p_kind, p_id);
  -- One at a time for each: what is counted is what has been written.
  perform pg_advisory_xact_lock(hashtextextended(p_id::text, 3));
  hash := app.reporter_hash(p_address);
  if exists (select from app.open_reports_of(p_kind, p_id) r
              where r.reporter = hash and r.reason = p_reason and r.note is not distinct from p_note
                and r.place is not distinct from p_place and r.email is not distinct from p_email)
     or (select count(*) from app.open_reports_of(p_kind, p_id)) >= 1000 then
    return;
  end if;
  if (select count(*) from app.open_reports_of(p_kind, p_id) r where r.reporter = hash) >= 3 then
    raise exception 'You have told us of this % three times, and a moderator will look at it.', p_kind
      using errcode = 'SF419';
  end if;
  insert into app.reports (piece_id, product_id, reason, note, email, place, name, good_faith, reporter)
  values (case p_kind when 'piece' then p_id end, case p_kind when 'listing' then p_id end, p_reason, p_note, p_email,
          p_place, p_name, p_good_faith, hash);
  -- The row holds what it is about from here on: what is taken down later takes the report along, what was a moment ago
  -- is seen now.
  perform app.demand_public(p_kind, p_id);
exception
  when foreign_key_violation then
    raise exception 'No public % has this id.', p_kind using errcode = 'SF404';
end
$$;

-- How many are open, and the newest twenty. No row where there are none.
create function app.summary_of_reports(p_kind text, p_id uuid)
  returns table (report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select count(*), count(distinct o.reporter), max(o.at),
           (select json_agg(json_build_object('reason', r.reason, 'note', r.note, 'place', r.place, 'name', r.name,
                                              'email', r.email, 'at', r.at)
                            order by r.at desc, r.id desc)
              from (select n.* from app.open_reports_of(p_kind, p_id) n order by n.at desc, n.id desc limit 20) r)
      from app.open_reports_of(p_kind, p_id) o having count(*) > 0
  $$;

-- What is public and reported, illegal content first, then last reported first. With `p_reason`, what was reported for
-- that. Nobody judges reports on what is their own.
create function app.open_reports(p_session_hash bytea, p_reason text, p_before_illegal boolean, p_before timestamptz,
                                 p_before_id uuid, p_limit integer)
  returns table (kind text, id uuid, headline text, slug text, writer_slug text, writer_name text, is_illegal boolean,
                 report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    with page as materialized (
      select about.*, reported.is_illegal, reported.newest_at as last_at
        from (select case when o.piece_id is null then 'listing' else 'piece' end as kind,
                     coalesce(o.piece_id, o.product_id) as id, bool_or(o.reason = 'illegal') as is_illegal,
                     bool_or(o.reason = p_reason) as is_wanted, max(o.at) as newest_at
                from app.reports o where o.settled_at is null group by o.piece_id, o.product_id) reported
        cross join lateral app.reportable(reported.kind, reported.id) about
        join app.writers w on w.id = about.writer_id
       where w.account_id is distinct from session.account_id
         and (p_reason is null or reported.is_wanted)
         and (reported.is_illegal, reported.newest_at, reported.id) < (p_before_illegal, p_before, p_before_id)
       order by reported.is_illegal desc, reported.newest_at desc, reported.id desc
       limit p_limit
    )
    select page.kind, page.id, page.headline, page.slug, page.writer_slug, page.writer_name, page.is_illegal,
           said.report_count, said.reporter_count, page.last_at, said.newest
      from page cross join lateral app.summary_of_reports(page.kind, page.id) said
     order by page.is_illegal desc, page.last_at desc, page.id desc;
end
$$;

-- No row where there are none, or for whose own it is.
create function app.reports_of(p_session_hash bytea, p_kind text, p_id uuid)
  returns table (report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select said.* from app.reportable(p_kind, p_id) about
      join app.writers w on w.id = about.writer_id and w.account_id is distinct from session.account_id
      cross join lateral app.summary_of_reports(p_kind, p_id) said;
end
$$;

-- Answers how many there were.
create function app.dismiss_reports(p_session_hash bytea, p_kind text, p_id uuid) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session   app.sessions := app.moderating(p_session_hash);
  writer    app.writers;
  dismissed integer;
begin
  select w.* into writer from app.reportable(p_kind, p_id) about join app.writers w on w.id = about.writer_id;
  if writer.account_id = session.account_id then
    raise exception 'Nobody settles reports on what is their own. Another moderator has to.' using errcode = 'SF403';
  end if;
  update app.reports r set settled_at = clock_timestamp(), outcome = 'dismissed'
   where r.id in (select o.id from app.open_reports_of(p_kind, p_id) o) and r.settled_at is null
     and writer.id is not null;
  get diagnostics dismissed = row_count;
  if dismissed = 0 then
    raise exception 'This % has no open report.', p_kind using errcode = 'SF404';
  end if;
  if p_kind = 'piece' then
    insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status)
    values ('dismiss_reports', p_id, writer.id, session.account_id, session.id,
            coalesce((select max(t.revision) from app.audit t where t.piece_id = p_id and t.to_status = 'approved'), 1),
            'approved', 'approved');
  else
    insert into app.product_audit (act, product_id, writer_id, account_id, session_id, revision, from_status, to_status)
    values ('dismiss_reports', p_id, writer.id, session.account_id, session.id,
            coalesce((select max(t.revision) from app.product_audit t
                       where t.product_id = p_id and t.to_status = 'listed'), 1),
            'listed', 'listed');
  end if;
  return dismissed;
end
$$;

create policy reports_are_private on app.product_audit as restrictive for select to svc_desk
  using (act <> 'dismiss_reports');

-- The addresses of those whose reports are settled, each once however it is spelt, and no longer kept.
create function app.take_reporters(p_session_hash bytea, p_kind text, p_id uuid) returns setof text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    with answered as (
      select r.id, r.email from app.reports r
       where ((p_kind = 'piece' and r.piece_id = p_id) or (p_kind = 'listing' and r.product_id = p_id))
         and r.settled_at is not null and r.email is not null
    ), forgotten as (
      update app.reports r set email = null from answered a where r.id = a.id
    )
    select distinct on (lower(a.email)) a.email from answered a order by lower(a.email), a.id;
end
$$;

create function app.settle_product_reports() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.reports r set settled_at = clock_timestamp(), outcome = 'taken_down'
   where r.product_id = new.id and r.settled_at is null;
  return null;
end
$$;

-- A listing its writer withdraws keeps its reports: they are shown again when it is.
create trigger settle_reports after update on app.products
  for each row when (old.withheld is null and new.withheld is not null)
  execute function app.settle_product_reports();
alter table app.products enable always trigger settle_reports;

revoke all on function app.forget_reporter_name(), app.reportable(text, uuid), app.demand_public(text, uuid),
  app.open_reports_of(text, uuid), app.summary_of_reports(text, uuid),
  app.report(text, uuid, text, text, text, text, text, boolean, text),
  app.open_reports(bytea, text, boolean, timestamptz, uuid, integer), app.reports_of(bytea, text, uuid),
  app.dismiss_reports(bytea, text, uuid), app.take_reporters(bytea, text, uuid), app.settle_product_reports()
  from public;
grant execute on function app.reportable(text, uuid),
  app.report(text, uuid, text, text, text, text, text, boolean, text),
  app.open_reports(bytea, text, boolean, timestamptz, uuid, integer), app.reports_of(bytea, text, uuid),
  app.dismiss_reports(bytea, text, uuid), app.take_reporters(bytea, text, uuid)
  to svc_desk;
