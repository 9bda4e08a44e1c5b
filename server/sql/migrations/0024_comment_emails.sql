-- Whether a person gets emails about comments.

-- step: once
set local role svc_owner;
alter table app.accounts add column comment_emails boolean not null default true;
-- The function that decides on these emails reads it before the policies of tables are applied.
grant select (comment_emails) on app.accounts to svc_publisher;
