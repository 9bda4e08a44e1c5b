-- The public wing: what everybody may read, laid out for reading it.
--
-- A piece is three rows, so that each question touches only what it needs:
--   pieces          what lists show, with headline and standfirst as search sees them, and the keys by which
--                   search finds candidates (features/pieces/search/keys.ts)
--   piece_contents  the whole text, as HTML and plain, for the one who asks for one piece
--   piece_texts     the body as search sees it, uncompressed and in the row itself
--
-- No cascades: they would run as the owner, whom the guard of this wing refuses.
-- author_id is in every table, so that the wing can be sharded by author.
--
-- Lock: none that matters; the tables are new.

set local role svc_owner;

create table pub.authors (
  id                uuid        primary key,
  slug              text        not null unique,
  name              text        not null,
  bio               text,
  role              text,
  niche             text,
  location          text,
  avatar_url        text,
  website           text,
  identity_verified boolean     not null,
  website_verified  boolean     not null,
  socials           jsonb       not null,
  pieces_count      integer     not null default 0 check (pieces_count >= 0),
  last_published_at timestamptz,
  joined_at         timestamptz,
  search_text       text        not null
);
create index authors_by_rank on pub.authors (identity_verified desc, pieces_count desc, slug);
create index authors_by_text on pub.authors using gin (search_text gin_trgm_ops) with (fastupdate = off);

create table pub.former_slugs (
  slug      text primary key,
  author_id uuid not null references pub.authors
);

-- Times are whole milliseconds, as JavaScript's are: a cursor made of one must find its place again.
create table pub.pieces (
  id                uuid        primary key,
  author_id         uuid        not null references pub.authors,
  slug              text        not null,
  headline          text        not null,
  sub               text,
  summary           text        not null,
  category          text        not null,
  tags              text[]      not null,
  kind              text        not null,
  locale            text        not null,
  external_url      text,
  published_at      timestamptz not null check (published_at = date_trunc('milliseconds', published_at)),
  modified_at       timestamptz not null check (modified_at = date_trunc('milliseconds', modified_at)),
  headline_folded   text        not null,
  sub_folded        text        not null,
  head_keys         integer[]   not null,
  body_keys         integer[]   not null,
  unique (author_id, slug)
);
-- Only the index reads them: out of the row, so that candidates are many to a page.
alter table pub.pieces alter column body_keys set storage external;
create index pieces_by_recency on pub.pieces (published_at desc, id desc);
create index pieces_by_category on pub.pieces (category, published_at desc, id desc);
create index pieces_by_author on pub.pieces (author_id, published_at desc, id desc);

-- Kept in the row, compressed, up to a page: one buffer instead of the five of a TOAST look-up.
create table pub.piece_contents (
  piece_id  uuid primary key references pub.pieces,
  author_id uuid not null,
  html      text not null,
  text      text not null
) with (toast_tuple_target = 8160);
alter table pub.piece_contents alter column html set storage main, alter column text set storage main;

-- Searched byte by byte, so neither compressed nor moved out of the row while it fits a page.
create table pub.piece_texts (
  piece_id     uuid        primary key references pub.pieces,
  author_id    uuid        not null,
  category     text        not null,
  published_at timestamptz not null,
  body         text        not null
) with (toast_tuple_target = 8160);
create index piece_texts_by_recency on pub.piece_texts (published_at desc, piece_id desc);
create index piece_texts_by_category on pub.piece_texts (category, published_at desc, piece_id desc);

-- lz4 where this PostgreSQL was built with it; its default where not.
do $$
begin
  alter table pub.piece_contents alter column html set compression lz4, alter column text set compression lz4;
  alter table app.pieces alter column body_md set compression lz4;
exception
  when feature_not_supported then null;
end
$$;
