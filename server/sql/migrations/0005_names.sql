-- The page of verified writers is sorted by name as people sort: Å beside A, é beside e, then other scripts. PostgreSQL
-- has the collation wherever it is built with ICU, whatever the locale of the database.

-- step: alone
create index concurrently if not exists authors_with_evidence_by_name on pub.authors (name collate "und-x-icu", slug) where identity_verified or website_verified;

-- The release before sorts by slug, for which it has the index of the slug.
-- step: alone
drop index concurrently if exists pub.authors_with_evidence;
