set local role svc_owner;

-- Whether the signed-in person gets emails about comments.
create or replace function app.wants_comment_emails(p_session_hash bytea) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.comment_emails from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.wants_comment_emails(bytea) from public;
grant execute on function app.wants_comment_emails(bytea) to svc_desk;
