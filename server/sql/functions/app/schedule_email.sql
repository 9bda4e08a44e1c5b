set local role svc_publisher;

-- For the worker: what an email about a scheduled publication says; `void_reason` is null once the piece is public. No row
-- where neither is true any more: scheduled again, cancelled or unpublished.
create or replace function app.schedule_email(p_piece uuid)
  returns table (account_id uuid, headline text, void_reason text, publish_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.account_id, p.headline, s.void_reason, s.publish_at
      from app.pieces p join app.writers w on w.id = p.writer_id
      left join app.schedules s on s.piece_id = p.id and s.voided_at is not null
     where p.id = p_piece and (s.piece_id is not null or p.editor_status = 'approved')
  $$;

revoke all on function app.schedule_email(uuid) from public;
grant execute on function app.schedule_email(uuid) to svc_worker;
