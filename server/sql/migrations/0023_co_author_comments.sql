-- Co-authors who agreed take part in the comments on a draft.

-- step: once
set local role svc_owner;
alter table app.comments drop constraint comments_made_by_check;
alter table app.comments add constraint comments_made_by_check
  check (made_by in ('writer', 'co_author', 'moderator', 'guest')) not valid;

-- step: once
set local role svc_owner;
alter table app.comments validate constraint comments_made_by_check;
