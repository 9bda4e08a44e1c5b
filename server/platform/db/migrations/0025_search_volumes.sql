-- Search by volumes instead of by GIN indexes (docs/search.md).
--
-- What is public waits here until the worker files it; a search reads what waits as well, so a piece is found as soon
-- as it is public. A volume is never changed: pieces that changed are filed again, and small volumes are bound into
-- larger ones. Nothing here decides what is found: every hit is confirmed on the public wing.
--
-- Lock: ACCESS EXCLUSIVE for an instant, to drop the old indexes and their columns. Every public piece then waits to be
-- filed: until the worker is done, searches answer from the newest and say that they are partial.

create schema search authorization svc_owner;

set local role svc_owner;
grant usage on schema search to svc_public, svc_worker;

-- The strings that many pieces have (platform/substrings/common.ts), learned when there were so many pieces.
create table search.trees (
  id         integer     generated always as identity primary key,
  pieces     integer     not null,
  strings    bytea       not null,
  learned_at timestamptz not null default now()
);

create table search.volumes (
  id         integer     generated always as identity primary key,
  tree       integer     not null references search.trees,
  pieces     integer     not null,
  newest     timestamptz not null,
  -- The changes it knows: those visible to whoever read the texts.
  as_of      pg_snapshot not null,
  state      text        not null check (state in ('binding', 'ready', 'retired')),
  -- From this number on its pieces are in a volume of a newer tree as well.
  again_from integer,
  retired_at timestamptz
);

-- Lists of pieces by key, as many as fit a page (platform/substrings/pages.ts): never compressed, never moved out.
create table search.pages (
  volume integer not null,
  key    bigint  not null,
  part   integer not null,
  lists  bytea   not null,
  primary key (volume, key, part)
);
alter table search.pages alter column lists set storage plain;

-- Which piece a number of a list stands for: 336 a row, newest first.
create table search.members (
  volume       integer     not null,
  ordinal      integer     not null,
  published_at timestamptz not null,
  places       bytea       not null,
  primary key (volume, ordinal)
);
alter table search.members alter column places set storage plain;
create index members_by_recency on search.members (volume, published_at, ordinal);

create table search.waiting (
  piece_id     uuid        primary key,
  published_at timestamptz not null,
  since        timestamptz not null
);
create index waiting_by_recency on search.waiting (published_at desc, piece_id desc);

-- Pieces that are no longer as some volume has them. Kept until no volume is older.
create table search.changes (
  piece_id uuid        not null,
  at       timestamptz not null default now(),
  by       xid8        not null default pg_current_xact_id(),
  primary key (piece_id, by)
);
create index changes_by_time on search.changes (at);

-- Which pieces are gone is nobody's business but the worker's.
grant select on search.trees, search.volumes, search.pages, search.members, search.waiting to svc_public;
grant select, insert, update, delete on all tables in schema search to svc_worker;
grant usage on schema pub to svc_worker;
grant select (id, published_at, category, headline_folded, sub_folded) on pub.pieces to svc_worker;
grant select (piece_id, published_at, body) on pub.piece_texts to svc_worker;

create function search.note_piece() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    insert into search.changes (piece_id) select piece_id from gone on conflict do nothing;
  end if;
  if tg_op = 'DELETE' then
    delete from search.waiting w using gone where w.piece_id = gone.piece_id;
  else
    insert into search.waiting as w (piece_id, published_at, since)
    select piece_id, published_at, clock_timestamp() from come
    on conflict (piece_id) do update set published_at = excluded.published_at, since = excluded.since;
  end if;
  return null;
end
$$;
revoke all on function search.note_piece() from public;

create trigger note_new after insert on pub.piece_texts
  referencing new table as come for each statement execute function search.note_piece();
create trigger note_changed after update on pub.piece_texts
  referencing old table as gone new table as come for each statement execute function search.note_piece();
create trigger note_gone after delete on pub.piece_texts
  referencing old table as gone for each statement execute function search.note_piece();
alter table pub.piece_texts enable always trigger note_new;
alter table pub.piece_texts enable always trigger note_changed;
alter table pub.piece_texts enable always trigger note_gone;

insert into search.waiting (piece_id, published_at, since)
select piece_id, published_at, clock_timestamp() from pub.piece_texts;

drop index pub.pieces_by_headline, pub.pieces_by_sub, pub.pieces_by_head_keys, pub.pieces_by_body_keys, pub.piece_texts_by_body;
alter table pub.pieces drop column head_keys, drop column body_keys;
alter type app.rendering drop attribute head_keys, drop attribute body_keys;

-- As before, without the keys (0010_states.sql).
grant create on schema app to svc_publisher;
set local role svc_publisher;
create or replace function app.show_piece(p_piece app.pieces, p_rendering app.rendering) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  public_at  timestamptz := date_trunc('milliseconds', clock_timestamp());
  first_at   timestamptz := coalesce(p_piece.first_published_at, public_at);
  piece_slug text := coalesce(p_piece.slug, app.free_piece_slug(p_piece.writer_id, p_rendering.slug));
begin
  update app.pieces set editor_status = 'approved', slug = piece_slug, first_published_at = first_at
   where id = p_piece.id;

  perform app.show_author(p_piece.writer_id);

  insert into pub.pieces (id, author_id, slug, headline, sub, summary, category, tags, kind, locale, external_url,
                          published_at, modified_at, headline_folded, sub_folded)
  values (p_piece.id, p_piece.writer_id, piece_slug, p_piece.headline, p_piece.sub, p_rendering.summary,
          p_piece.category, p_piece.tags, p_piece.style, p_piece.locale, p_piece.fields ->> 'external_url', first_at,
          public_at, p_rendering.headline_folded, p_rendering.sub_folded);
  insert into pub.piece_contents (piece_id, author_id, html, text)
  values (p_piece.id, p_piece.writer_id, p_rendering.html, p_rendering.text);
  insert into pub.piece_texts (piece_id, author_id, category, published_at, body)
  values (p_piece.id, p_piece.writer_id, p_piece.category, first_at, p_rendering.body_folded);

  update pub.authors set pieces_count = pieces_count + 1,
                         last_published_at = greatest(last_published_at, first_at)
   where id = p_piece.writer_id;
end
$$;

create or replace function app.desk_update(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'updated', array['approved']);
  if piece.review_required then
    raise exception 'This piece is reviewed before it changes in public. Unpublish it, then submit it for review.'
      using errcode = 'SF409';
  end if;
  perform app.use_nonce(piece, session, p_nonce_hash, 'update');
  update pub.pieces set
    headline = piece.headline, sub = piece.sub, summary = p_rendering.summary, category = piece.category,
    tags = piece.tags, kind = piece.style, locale = piece.locale, external_url = piece.fields ->> 'external_url',
    modified_at = date_trunc('milliseconds', clock_timestamp()), headline_folded = p_rendering.headline_folded,
    sub_folded = p_rendering.sub_folded
   where id = piece.id;
  update pub.piece_contents set html = p_rendering.html, text = p_rendering.text where piece_id = piece.id;
  update pub.piece_texts set category = piece.category, body = p_rendering.body_folded where piece_id = piece.id;
  perform app.move_piece(piece, session, 'update', 'approved', null);
end
$$;

set local role svc_owner;
revoke create on schema app from svc_publisher;

-- Read one by one from here on, no longer by the thousand: half the size is worth more than the time to unpack it.
alter table pub.piece_texts reset (toast_tuple_target);
alter table pub.piece_texts alter column body set storage main;
do $$
begin
  alter table pub.piece_texts alter column body set compression lz4;
exception
  when feature_not_supported then null;
end
$$;
