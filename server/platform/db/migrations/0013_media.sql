-- Media: the pictures of writers, private until something public shows them.
--
-- The bytes lie in a store outside, by their hash. Here is whose they are (app.media), which pieces have ever named them
-- (app.piece_media, derived, so that every kept revision keeps its own), and which of them are public (pub.media). The
-- last is filled by triggers on the public wing itself, in the transaction that shows or hides a text or a profile: no
-- act can forget it, and nobody can make a picture public but by publishing what shows it. Only pictures of the piece's
-- own writer count.
-- Errors: SF401 no live session, SF403 no writer, SF404 not their piece, SF419 enough pictures.
--
-- Lock: SHARE ROW EXCLUSIVE on app.pieces, pub.authors and pub.piece_contents for an instant.

set local role svc_owner;

create table app.media (
  hash       text        not null check (hash ~ '^[0-9a-f]{64}$'),
  writer_id  uuid        not null references app.writers on delete cascade,
  type       text        not null check (type = 'image/webp'),
  width      integer     not null check (width between 1 and 2000),
  height     integer     not null check (height between 1 and 2000),
  bytes      integer     not null check (bytes > 0),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (writer_id, hash)
);
create index media_by_hash on app.media (hash);
create index media_by_age on app.media (created_at);

create table app.piece_media (
  piece_id  uuid not null references app.pieces on delete cascade,
  hash      text not null,
  writer_id uuid not null,
  primary key (piece_id, hash)
);
create index piece_media_of_writer on app.piece_media (writer_id, hash);

-- Bytes that no writer has any more, until the store has let go of them.
create table app.media_gone (
  hash text primary key
);

-- `shown_by` is the piece, or the author where it is their portrait.
create table pub.media (
  hash      text    not null,
  shown_by  uuid    not null,
  author_id uuid    not null,
  type      text    not null,
  bytes     integer not null,
  primary key (hash, shown_by)
);
create index media_shown_by on pub.media (shown_by);

create trigger guard_public before insert or update or delete or truncate on pub.media
  for each statement execute function app.guard_public();
alter table pub.media enable always trigger guard_public;

grant select on pub.media to svc_public;
grant select, insert, delete on pub.media to svc_publisher;
grant select, insert on app.media to svc_publisher;
grant update (created_at) on app.media to svc_publisher;
grant select on app.piece_media to svc_publisher;
grant update (avatar_url) on app.writers to svc_publisher;
-- For the check on the row that is written.
grant execute on function app.is_free_slug(text) to svc_publisher;

-- ------------------------------------------------------------------------------------ what follows from a text

-- Only pictures there are, of the writer: whatever else a text names leaves no trace.
create function app.note_media() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.piece_media (piece_id, hash, writer_id)
  select distinct new.id, m.hash, m.writer_id
    from regexp_matches(new.body_md, '/media/([0-9a-f]{64})', 'g') as named
    join app.media m on m.hash = named[1] and m.writer_id = new.writer_id
  on conflict do nothing;
  return null;
end
$$;

create trigger note_media after insert or update of body_md on app.pieces
  for each row when (new.body_md like '%/media/%') execute function app.note_media();
alter table app.pieces enable always trigger note_media;

create function app.note_gone_media() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.media_gone (hash) values (old.hash) on conflict do nothing;
  return null;
end
$$;

create trigger note_gone_media after delete on app.media
  for each row execute function app.note_gone_media();
alter table app.media enable always trigger note_gone_media;

-- These two run as whoever writes the public wing, which is the publisher alone. Stored HTML has a picture of the house
-- as a path, in a tag that no text can spell: there every `<` is `&lt;`.
create function app.show_media_of_piece() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.media where shown_by = old.piece_id;
  end if;
  if tg_op <> 'DELETE' and new.html like '%="/media/%' then
    insert into pub.media (hash, shown_by, author_id, type, bytes)
    select distinct m.hash, new.piece_id, new.author_id, m.type, m.bytes
      from regexp_matches(new.html, '<(?:img src|a href)="/media/([0-9a-f]{64})"', 'g') as shown
      join app.media m on m.hash = shown[1] and m.writer_id = new.author_id;
  end if;
  return null;
end
$$;

create trigger show_media after insert or delete or update of html on pub.piece_contents
  for each row execute function app.show_media_of_piece();
alter table pub.piece_contents enable always trigger show_media;

create function app.show_portrait() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.media where shown_by = old.id;
  end if;
  if tg_op <> 'DELETE' and new.avatar_url like '%/media/%' then
    insert into pub.media (hash, shown_by, author_id, type, bytes)
    select m.hash, new.id, new.id, m.type, m.bytes
      from app.media m
     where m.writer_id = new.id and m.hash = substring(new.avatar_url from '/media/([0-9a-f]{64})$');
  end if;
  return null;
end
$$;

create trigger show_portrait after insert or delete or update of avatar_url on pub.authors
  for each row execute function app.show_portrait();
alter table pub.authors enable always trigger show_portrait;

-- ------------------------------------------------------------------------------------ time

-- What no kept revision, no portrait and nothing public has named for seven days; some hundreds at a time.
create function app.sweep_media() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  delete from app.media where (writer_id, hash) in (
    select m.writer_id, m.hash from app.media m
     where m.created_at < clock_timestamp() - interval '7 days'
       and not exists (select from app.piece_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.writers w where w.id = m.writer_id and w.avatar_url like '%/media/' || m.hash)
       and not exists (select from pub.media s where s.hash = m.hash and s.author_id = m.writer_id)
     limit 500);
  get diagnostics swept = row_count;
  return swept;
end
$$;

-- One hash whose bytes the caller shall delete before this transaction ends, or null. While it lasts nobody can get the
-- same picture by uploading it: they wait, and put the bytes there once more.
create function app.take_gone_media() returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  gone text;
begin
  loop
    select g.hash into gone from app.media_gone g limit 1 for update skip locked;
    if gone is null then
      return null;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(gone, 6));
    delete from app.media_gone g where g.hash = gone;
    if not exists (select from app.media m where m.hash = gone) then
      return gone;
    end if;
  end loop;
end
$$;

revoke all on function app.note_media(), app.note_gone_media(), app.show_media_of_piece(), app.show_portrait(),
  app.sweep_media(), app.take_gone_media() from public;
grant execute on function app.sweep_media(), app.take_gone_media() to svc_worker;

-- ------------------------------------------------------------------------------------ what people do

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Whose session this is, as a writer; they do one thing with pictures at a time.
create function app.media_writer(p_session_hash bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
begin
  select w.id into writer
    from app.writers w join app.sessions s on s.account_id = w.account_id where s.token_hash = p_session_hash;
  perform pg_advisory_xact_lock(hashtextextended(writer::text, 5));
  perform app.signed_in(p_session_hash);
  if writer is null then
    raise exception 'Only writers have pictures here. Sign in with the account of a writer.' using errcode = 'SF403';
  end if;
  return writer;
end
$$;

-- Called before the bytes are put into the store. Where they do not get there the row stays, since another request may
-- have been promised the same picture; the sweep takes what nothing names.
create function app.add_media(p_session_hash bytea, p_piece uuid, p_hash text, p_type text, p_width integer,
                              p_height integer, p_bytes integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.media_writer(p_session_hash);
begin
  if p_piece is not null and not exists (select from app.pieces p where p.id = p_piece and p.writer_id = writer) then
    raise exception 'You have no such piece. The list of your pieces shows those you have.' using errcode = 'SF404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_hash, 6));
  update app.media m set created_at = date_trunc('milliseconds', clock_timestamp())
   where m.writer_id = writer and m.hash = p_hash;
  if found then
    return;
  end if;
  if (select coalesce(sum(m.bytes), 0) from app.media m where m.writer_id = writer) + p_bytes > 524288000 then
    raise exception 'Your pictures fill 500 MB, which is the most. Delete drafts you no longer need: their pictures go within seven days.'
      using errcode = 'SF419';
  end if;
  insert into app.media (hash, writer_id, type, width, height, bytes)
  values (p_hash, writer, p_type, p_width, p_height, p_bytes);
end
$$;

-- One's own, and for a moderator what a piece that waits for them shows; what it showed before is its writer's alone.
create function app.desk_media(p_session_hash bytea, p_hash text) returns table (type text, bytes integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select m.type, m.bytes from app.media m join app.writers w on w.id = m.writer_id
     where m.hash = p_hash
       and (w.account_id = session.account_id
            or app.moderates(session) and exists (
                 select from app.piece_media n join app.pieces p on p.id = n.piece_id
                  where n.hash = m.hash and n.writer_id = m.writer_id and p.editor_status = 'pending'
                    and position('/media/' || m.hash in p.body_md) > 0))
     limit 1;
end
$$;

-- The pictures a piece may show, for whoever may look at it: its writer, and moderators while it waits.
create function app.pictures_of(p_piece uuid, p_session_hash bytea)
  returns table (hash text, width integer, height integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select m.hash, m.width, m.height
      from app.pieces p join app.writers w on w.id = p.writer_id
           join app.piece_media n on n.piece_id = p.id
           join app.media m on m.hash = n.hash and m.writer_id = p.writer_id
     where p.id = p_piece
       and (w.account_id = session.account_id or p.editor_status = 'pending' and app.moderates(session));
end
$$;

-- A picture of theirs becomes their portrait, or none does. Public at once where the profile is.
create function app.set_portrait(p_session_hash bytea, p_hash text, p_url text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.media_writer(p_session_hash);
begin
  if p_hash is not null and (p_url not like '%/media/' || p_hash
     or not exists (select from app.media m where m.writer_id = writer and m.hash = p_hash)) then
    raise exception 'You have no such picture. Upload it first.' using errcode = 'SF404';
  end if;
  update app.writers set avatar_url = case when p_hash is not null then p_url end where id = writer;
  if exists (select from pub.authors a where a.id = writer) then
    perform app.show_author(writer);
  end if;
end
$$;

revoke all on function app.media_writer(bytea), app.add_media(bytea, uuid, text, text, integer, integer, integer),
  app.desk_media(bytea, text), app.pictures_of(uuid, bytea), app.set_portrait(bytea, text, text) from public;
grant execute on function app.add_media(bytea, uuid, text, text, integer, integer, integer),
  app.desk_media(bytea, text), app.pictures_of(uuid, bytea), app.set_portrait(bytea, text, text) to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;
