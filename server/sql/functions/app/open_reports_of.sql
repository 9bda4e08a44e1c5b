set local role svc_owner;

-- The open ones of one piece or listing.
create or replace function app.open_reports_of(p_kind text, p_id uuid) returns setof app.reports
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select r.* from app.reports r where p_kind = 'piece' and r.piece_id = p_id and r.settled_at is null
    union all
    select r.* from app.reports r where p_kind = 'listing' and r.product_id = p_id and r.settled_at is null
  $$;

revoke all on function app.open_reports_of(text, uuid) from public;
