set local role svc_owner;

-- Writers whose keys drafted something since their last email, once an hour at most; notes the time. Begins with
-- the keys, which are few, and notes of their use: no index of drafts is kept for it.
create or replace function app.writers_to_tell() returns table (account_id uuid, drafts bigint)
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with busy as (
      select distinct w.id as writer_id, w.account_id,
             greatest(coalesce(a.drafts_told_at, '-infinity'), now() - interval '1 day') as since
        from app.api_keys k join app.writers w on w.id = k.writer_id join app.accounts a on a.id = w.account_id
       where k.last_used_at > now() - interval '1 day 2 minutes'
         and a.drafts_letter and a.disabled_at is null and a.email_verified_at is not null
         and (a.drafts_told_at is null or a.drafts_told_at <= now() - interval :'draft_emails_interval')
    ), begun as (
      select busy.account_id, app.pieces_begun(busy.writer_id, true, busy.since) as drafts from busy
    )
    update app.accounts a set drafts_told_at = clock_timestamp()
      from begun where a.id = begun.account_id and begun.drafts > 0
    returning a.id, begun.drafts
  $$;

revoke all on function app.writers_to_tell() from public;
grant execute on function app.writers_to_tell() to svc_worker;
