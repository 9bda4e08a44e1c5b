set local role svc_owner;

-- How many follow the signed-in writer, and how that changed: each day's new and former followers, as far back as asked.
create or replace function app.followers_by_day(p_days integer)
  returns table (day date, gained integer, lost integer, total integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with own as materialized (
      select 'author:' || app.session_writer() as subject
    ), now_followed as (
      select count(*)::integer as total from app.follows f, own where f.subject = own.subject and f.confirmed_at is not null
    ), days as (
      select d::date as day, coalesce(n.gained, 0) as gained, coalesce(n.lost, 0) as lost
        from generate_series((clock_timestamp() at time zone 'UTC')::date - p_days + 1,
                             (clock_timestamp() at time zone 'UTC')::date, interval '1 day') d
             left join app.follower_days n on n.day = d::date and n.subject = (select own.subject from own)
    )
    select d.day, d.gained, d.lost,
           (now_followed.total - coalesce(sum(d.gained - d.lost) over (order by d.day desc rows between unbounded preceding
                                                                       and 1 preceding), 0))::integer
      from days d, now_followed order by d.day
  $$;

revoke all on function app.followers_by_day(integer) from public;
grant execute on function app.followers_by_day(integer) to svc_desk;
