set local role svc_owner;

-- How many are open, and the newest twenty. No row where there are none.
create or replace function app.summary_of_reports(p_kind text, p_id uuid)
  returns table (report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select count(*), count(distinct o.reporter), max(o.at),
           (select json_agg(json_build_object('reason', r.reason, 'note', r.note, 'place', r.place, 'name', r.name,
                                              'email', r.email, 'at', r.at)
                            order by r.at desc, r.id desc)
              from (select n.* from app.open_reports_of(p_kind, p_id) n order by n.at desc, n.id desc limit 20) r)
      from app.open_reports_of(p_kind, p_id) o having count(*) > 0
  $$;

revoke all on function app.summary_of_reports(text, uuid) from public;
