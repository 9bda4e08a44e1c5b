-- Lists, feeds and search by language. Pieces keep the locale that was sent; indexes hold the language it means.

-- step: once
-- include: functions/pub/language_of_tag.sql
-- include: functions/pub/language_of.sql

-- step: alone
create index concurrently if not exists pieces_by_language on pub.pieces
  (pub.language_of(locale), published_at desc, id desc);

-- The category first: from it the languages of a section are read, one step each.
-- step: alone
create index concurrently if not exists pieces_by_category_and_language on pub.pieces
  (category, pub.language_of(locale), published_at desc, id desc);

-- Whether a segment of the search index has lists of languages. What the release before writes has none, and is indexed
-- again; until then it is searched without them.
-- step: once
alter table search.volumes add column has_languages boolean not null default false;
