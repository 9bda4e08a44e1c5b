-- Exact substring search over public pieces (docs/search.md).
--
-- An index narrows, strpos() decides. Trigrams find words; keys (the characters around each space, and pairs of
-- scripts without spaces) find phrases, which trigrams cannot tell apart, and pairs, which have none.
-- fastupdate off: a search would otherwise read the whole pending list each time.
--
-- Lock: SHARE on the tables while it builds. From a million rows on, build CONCURRENTLY by hand first.

set local role svc_owner;

create index pieces_by_headline on pub.pieces using gin (headline_folded gin_trgm_ops) with (fastupdate = off);
create index pieces_by_sub on pub.pieces using gin (sub_folded gin_trgm_ops) with (fastupdate = off);
create index pieces_by_head_keys on pub.pieces using gin (head_keys) with (fastupdate = off);
create index pieces_by_body_keys on pub.pieces using gin (body_keys) with (fastupdate = off);
create index piece_texts_by_body on pub.piece_texts using gin (body gin_trgm_ops) with (fastupdate = off);
