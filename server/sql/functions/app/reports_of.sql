set local role svc_owner;

-- No row where there are none, or for whose own it is.
create or replace function app.reports_of(p_session_hash bytea, p_kind text, p_id uuid)
  returns table (report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select said.* from app.reportable(p_kind, p_id) about
      join app.writers w on w.id = about.writer_id and w.account_id is distinct from session.account_id
      cross join lateral app.summary_of_reports(p_kind, p_id) said;
end
$$;

revoke all on function app.reports_of(bytea, text, uuid) from public;
grant execute on function app.reports_of(bytea, text, uuid) to svc_desk;
