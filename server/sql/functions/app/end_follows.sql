set local role svc_owner;

-- Ends what a reader follows, all of it where no subjects are given, and what waits to be sent for it, or for the return of its
-- piece. Who ends following a writer is remembered for that writer's imports.
create or replace function app.end_follows(p_reader uuid, p_subjects text[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    with ended as (
      delete from app.follows f
       where f.reader_id = p_reader and (p_subjects is null or f.subject = any (p_subjects))
      returning f.subject, f.confirmed_at
    ), counted as (
      insert into app.follower_days as d (subject, day, lost)
      select e.subject, (clock_timestamp() at time zone 'UTC')::date, 1 from ended e where e.confirmed_at is not null
       order by 1
      on conflict (subject, day) do update set lost = d.lost + 1
    ), remembered as (
      insert into app.former_followers (writer_id, address_hash)
      select w.id, r.address_hash
        from ended e join app.writers w on e.subject = 'author:' || w.id join app.readers r on r.id = p_reader
       order by 1
      on conflict do nothing
    )
    delete from app.reader_emails e
     where e.reader_id = p_reader and e.state in ('pending', 'cancelled') and e.kind <> 'confirm'
       and not exists (
         select from app.follows f
          where f.reader_id = p_reader and app.is_sent_for(e, f)
            and not exists (select from ended where ended.subject = f.subject))
  $$;

revoke all on function app.end_follows(uuid, text[]) from public;
