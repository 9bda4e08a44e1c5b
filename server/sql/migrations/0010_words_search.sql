-- Search by words (docs/search.md): words, authors and tags are further keys of the segments, and the words of the site are
-- listed once, to find what a misspelt one may have meant.

-- Whether a segment has lists of words. What the release before writes has none, and is indexed again; until then a search
-- by words says that it is partial.
-- step: once
alter table search.volumes add column has_words boolean not null default false;

set local role svc_owner;

create table search.lexicon (
  word  text collate "C" primary key,
  -- Hashes of the word and of what is left of it without each of its characters (words-lexicon.ts).
  rests integer[] not null
);

-- Only the worker writes, in bulk: a pending list would make every reader scan it.
create index lexicon_by_rests on search.lexicon using gin (rests) with (fastupdate = off);
