set local role svc_owner;

-- Orders the next emails of the oldest announcement that is not done: one for each reader who wants every piece, and the
-- digests of the others. Returns how many readers it found, and null if nothing is left to do. A piece that has gone is left
-- until it is back.
create or replace function app.expand_announcements(p_most integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment  timestamptz := clock_timestamp();
  news    app.announcements;
  found_readers uuid[];
  domain  record;
begin
  select a.* into news from app.announcements a
   where a.done_at is null and exists (select from pub.pieces p where p.id = a.piece_id)
   order by a.published_at limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  if news.subjects is null then
    -- What is published later belongs to the next digest: this one is sent when all of its announcements are done.
    update app.announcements a set
      subjects = app.announced_subjects(a.piece_id),
      daily = app.next_digest('daily', moment), weekly = app.next_digest('weekly', moment)
     where a.piece_id = news.piece_id returning a.* into news;
  end if;

  -- Each subject's next readers in order, so that no list of all is sorted.
  found_readers := array(
    select distinct next.reader_id
      from unnest(news.subjects) as one (subject),
           lateral (select f.reader_id from app.follows f
                     where f.subject = one.subject and f.confirmed_at is not null
                       and (news.through is null or f.reader_id > news.through)
                     order by f.reader_id limit p_most) as next
     order by next.reader_id limit p_most);

  for domain in
    with chosen as (
      select r.id, r.domain_hash, min(case f.frequency when 'each' then 1 when 'daily' then 2 else 3 end) as soonest
        from app.readers r join app.follows f on f.reader_id = r.id and f.subject = any (news.subjects)
       where r.id = any (found_readers) and r.suppressed_at is null and f.confirmed_at <= news.published_at and not app.is_stopped(f)
       group by r.id
    ), ordered as (
      insert into app.reader_emails (reader_id, kind, piece_id, period, domain_hash, due_at)
      select c.id, (array['piece', 'daily', 'weekly'])[c.soonest], case c.soonest when 1 then news.piece_id end,
             (array[null, news.daily, news.weekly])[c.soonest], c.domain_hash,
             (array[moment, app.digest_time(news.daily), app.digest_time(news.weekly)])[c.soonest]
        from chosen c
      on conflict do nothing
      returning domain_hash, due_at
    )
    select o.domain_hash, min(o.due_at) as due_at from ordered o group by 1 order by 1
  loop
    perform app.line_up_emails(domain.domain_hash, domain.due_at);
  end loop;

  update app.announcements a set
    through = coalesce(found_readers[cardinality(found_readers)], a.through),
    done_at = case when cardinality(found_readers) < p_most then moment end
   where a.piece_id = news.piece_id;
  return cardinality(found_readers);
end
$$;

revoke all on function app.expand_announcements(integer) from public;
grant execute on function app.expand_announcements(integer) to svc_worker;
