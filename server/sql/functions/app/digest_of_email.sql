set local role svc_owner;

-- The public pieces of a digest, newest first: what its reader follows with this frequency, without those that it gets one by one. A
-- weekly digest has nothing that a daily one had.
create or replace function app.digest_of_email(p_email uuid) returns table (piece_id uuid, published_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.piece_id, a.published_at
      from app.reader_emails e
           join app.announcements a on (e.kind = 'daily' and a.daily = e.period) or (e.kind = 'weekly' and a.weekly = e.period)
     where e.id = p_email
       and e.kind = (select case min(case f.frequency when 'each' then 1 when 'daily' then 2 else 3 end)
                              when 1 then 'piece' when 2 then 'daily' when 3 then 'weekly' end
                       from app.follows f
                      where f.reader_id = e.reader_id and f.subject = any (a.subjects) and f.confirmed_at <= a.published_at
                        and not app.is_stopped(f))
       and exists (select from pub.pieces p where p.id = a.piece_id)
     order by a.published_at desc, a.piece_id
  $$;

revoke all on function app.digest_of_email(uuid) from public;
grant execute on function app.digest_of_email(uuid) to svc_worker;
