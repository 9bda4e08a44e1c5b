-- Reports: readers tell the moderators of a public piece.
--
-- Anybody may report, through a function that keeps the report and shows nothing. A reporter's address is not kept: only
-- its hash with a salt that is thrown away every day, enough to tell one reader who reports often from many who do.
-- What is open waits for a moderator who is not the piece's writer: they dismiss it, or take the piece down.
-- Errors: SF401 no live session, SF403 no moderator or the piece's own writer, SF404 no public piece or no open report,
-- SF419 enough from this address.
--
-- Lock: SHARE ROW EXCLUSIVE on app.pieces and ACCESS EXCLUSIVE on app.audit, for an instant.

set local role svc_owner;

create table app.reports (
  id         bigint      generated always as identity primary key,
  piece_id   uuid        not null references app.pieces on delete cascade,
  reason     text        not null
                         check (reason in ('spam', 'harassment', 'copyright', 'impersonation', 'danger', 'other')),
  note       text        check (char_length(note) between 1 and 1000),
  -- For an answer, if the reporter wants one.
  email      text        check (char_length(email) between 3 and 254),
  reporter   bytea       not null check (octet_length(reporter) = 32),
  at         timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  settled_at timestamptz,
  outcome    text        check (outcome in ('dismissed', 'taken_down')),
  check ((settled_at is null) = (outcome is null))
);
create index reports_of_piece on app.reports (piece_id);
create index reports_open on app.reports (piece_id, at) where settled_at is null;
create index reports_by_age on app.reports (settled_at) where settled_at is not null;

-- Today's alone. Without it nobody can try addresses against the hashes.
create table app.report_salts (
  day  date  primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

create function app.reporter_hash(p_address text) returns bytea
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  delete from app.report_salts s where s.day < today;
  insert into app.report_salts (day, salt)
  values (today, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')))
  on conflict (day) do nothing;
  return (select sha256(s.salt || convert_to(p_address, 'UTF8')) from app.report_salts s where s.day = today);
end
$$;

-- What a report is about, as everybody may know it.
create function app.reportable_piece(p_piece uuid)
  returns table (headline text, locale text, piece_slug text, writer_slug text, writer_name text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select p.headline, p.locale, p.slug, a.slug, a.name
      from pub.pieces p join pub.authors a on a.id = p.author_id where p.id = p_piece;
end
$$;

create function app.demand_public(p_piece uuid) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from pub.pieces p where p.id = p_piece) then
    raise exception 'No public piece has this id.' using errcode = 'SF404';
  end if;
end
$$;

-- The same report sent twice is one. Three open ones of an address are enough, and so are a thousand of a piece: what
-- comes after those is thanked for and not kept.
create function app.report_piece(p_piece uuid, p_reason text, p_note text, p_email text, p_address text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hash bytea;
begin
  perform app.demand_public(p_piece);
  -- One at a time for each piece: what is counted is what has been written.
  perform pg_advisory_xact_lock(hashtextextended(p_piece::text, 3));
  hash := app.reporter_hash(p_address);
  if exists (select from app.reports r
              where r.piece_id = p_piece and r.settled_at is null and r.reporter = hash and r.reason = p_reason
                and r.note is not distinct from p_note and r.email is not distinct from p_email)
     or (select count(*) from app.reports r where r.piece_id = p_piece and r.settled_at is null) >= 1000 then
    return;
  end if;
  if (select count(*) from app.reports r
       where r.piece_id = p_piece and r.settled_at is null and r.reporter = hash) >= 3 then
    raise exception 'You have told us of this piece three times, and a moderator will look at it.' using errcode = 'SF419';
  end if;
  insert into app.reports (piece_id, reason, note, email, reporter) values (p_piece, p_reason, p_note, p_email, hash);
  -- The row holds its piece from here on: one that is taken down later takes the report along, one that was a moment
  -- ago is seen now.
  perform app.demand_public(p_piece);
exception
  when foreign_key_violation then
    raise exception 'No public piece has this id.' using errcode = 'SF404';
end
$$;

create function app.moderating(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not exists (select from app.accounts a where a.id = session.account_id and a.role in ('moderator', 'operator')) then
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  return session;
end
$$;

-- Reported pieces that are public, last reported first, each with its newest twenty reports. Nobody judges reports on
-- what they wrote themselves.
create function app.open_reports(p_session_hash bytea, p_before timestamptz, p_before_piece uuid, p_limit integer)
  returns table (piece_id uuid, headline text, piece_slug text, writer_slug text, writer_name text,
                 report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select p.id, p.headline, p.slug, a.slug, a.name, reported.reports, reported.reporters, reported.newest_at,
           (select json_agg(json_build_object('reason', r.reason, 'note', r.note, 'email', r.email, 'at', r.at)
                            order by r.at desc, r.id desc)
              from (select o.* from app.reports o where o.piece_id = p.id and o.settled_at is null
                     order by o.at desc, o.id desc limit 20) r)
      from (select o.piece_id, count(*) as reports, count(distinct o.reporter) as reporters, max(o.at) as newest_at
              from app.reports o where o.settled_at is null group by o.piece_id) reported
      join pub.pieces p on p.id = reported.piece_id
      join pub.authors a on a.id = p.author_id
      join app.writers w on w.id = p.author_id
     where w.account_id is distinct from session.account_id
       and (reported.newest_at, p.id) < (p_before, p_before_piece)
     order by reported.newest_at desc, p.id desc
     limit p_limit;
end
$$;

-- Answers how many there were.
create function app.dismiss_reports(p_session_hash bytea, p_piece uuid) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session   app.sessions := app.moderating(p_session_hash);
  writer    app.writers;
  dismissed integer;
begin
  select w.* into writer from pub.pieces p join app.writers w on w.id = p.author_id where p.id = p_piece;
  if writer.account_id = session.account_id then
    raise exception 'Nobody settles reports on their own piece. Another moderator has to.' using errcode = 'SF403';
  end if;
  update app.reports r set settled_at = clock_timestamp(), outcome = 'dismissed'
   where r.piece_id = p_piece and r.settled_at is null and writer.id is not null;
  get diagnostics dismissed = row_count;
  if dismissed = 0 then
    raise exception 'This piece has no open report.' using errcode = 'SF404';
  end if;
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status)
  values ('dismiss_reports', p_piece, writer.id, session.account_id, session.id,
          coalesce((select max(t.revision) from app.audit t where t.piece_id = p_piece and t.to_status = 'approved'), 1),
          'approved', 'approved');
  return dismissed;
end
$$;

-- That there were reports is no news for the piece's writer.
create policy reports_are_private on app.audit as restrictive for select to svc_desk using (act <> 'dismiss_reports');

create function app.settle_reports() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.reports r set settled_at = clock_timestamp(), outcome = 'taken_down'
   where r.piece_id = new.id and r.settled_at is null;
  return null;
end
$$;

-- A piece its writer unpublishes keeps its reports: they are shown again when it is.
create trigger settle_reports after update on app.pieces
  for each row
  when (old.editor_status = 'approved' and new.editor_status in ('changes_requested', 'rejected'))
  execute function app.settle_reports();
alter table app.pieces enable always trigger settle_reports;

-- What has served its time.
create function app.sweep_reports() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    delete from app.reports where settled_at < clock_timestamp() - interval '90 days';
    delete from app.report_salts where day < (clock_timestamp() at time zone 'UTC')::date;
  $$;

revoke all on function app.reporter_hash(text), app.reportable_piece(uuid), app.demand_public(uuid),
  app.report_piece(uuid, text, text, text, text), app.moderating(bytea),
  app.open_reports(bytea, timestamptz, uuid, integer), app.dismiss_reports(bytea, uuid), app.settle_reports(),
  app.sweep_reports()
  from public;
grant execute on function app.reportable_piece(uuid), app.report_piece(uuid, text, text, text, text),
  app.open_reports(bytea, timestamptz, uuid, integer), app.dismiss_reports(bytea, uuid)
  to svc_desk;
grant execute on function app.sweep_reports() to svc_worker;
