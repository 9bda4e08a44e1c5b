-- The cover of a piece is named in `fields`, like every other detail of a draft, so a key may name it and the history has it.
-- What is public has it here with the size of the picture, so that a list needs no other table:
-- {"hash", "width", "height", "alt", "caption", "credit", "x", "y"}.

-- step: once
set local role svc_owner;
alter table pub.pieces add column cover jsonb;
