set local role svc_owner;

-- What is public and reported, illegal content first, then last reported first. With `p_reason`, what was reported for
-- that. Nobody judges reports on what is their own.
create or replace function app.open_reports(p_session_hash bytea, p_reason text, p_before_illegal boolean, p_before timestamptz,
                                 p_before_id uuid, p_limit integer)
  returns table (kind text, id uuid, headline text, slug text, writer_slug text, writer_name text, is_illegal boolean,
                 report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    with page as materialized (
      select about.*, reported.is_illegal, reported.newest_at as last_at
        from (select case when o.piece_id is null then 'listing' else 'piece' end as kind,
                     coalesce(o.piece_id, o.product_id) as id, bool_or(o.reason = 'illegal') as is_illegal,
                     bool_or(o.reason = p_reason) as is_wanted, max(o.at) as newest_at
                from app.reports o where o.settled_at is null group by o.piece_id, o.product_id) reported
        cross join lateral app.reportable(reported.kind, reported.id) about
        join app.writers w on w.id = about.writer_id
       where w.account_id is distinct from session.account_id
         and (p_reason is null or reported.is_wanted)
         and (reported.is_illegal, reported.newest_at, reported.id) < (p_before_illegal, p_before, p_before_id)
       order by reported.is_illegal desc, reported.newest_at desc, reported.id desc
       limit p_limit
    )
    select page.kind, page.id, page.headline, page.slug, page.writer_slug, page.writer_name, page.is_illegal,
           said.report_count, said.reporter_count, page.last_at, said.newest
      from page cross join lateral app.summary_of_reports(page.kind, page.id) said
     order by page.is_illegal desc, page.last_at desc, page.id desc;
end
$$;

revoke all on function app.open_reports(bytea, text, boolean, timestamp with time zone, uuid, integer) from public;
grant execute on function app.open_reports(bytea, text, boolean, timestamp with time zone, uuid, integer) to svc_desk;
