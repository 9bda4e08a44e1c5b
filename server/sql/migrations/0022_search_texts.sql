-- Titles and descriptions that a writer has written for search engines and shared links are named in `fields`, like a cover:
-- drafts, history and schedules have them. What is public has those that differ from headline and standfirst here:
-- {"title", "description", "social_title", "social_description"}, without those that are not written; null if none is.

-- step: once
set local role svc_owner;
alter table pub.pieces add column meta jsonb;
