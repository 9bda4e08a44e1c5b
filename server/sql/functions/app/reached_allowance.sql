set local role svc_owner;

-- The limit that publishing one more piece would exceed, as the error names it; null where it would exceed none.
create or replace function app.reached_allowance(p_account uuid, p_piece uuid, p_first_day integer, p_first_week integer)
  returns json
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select json_build_object('limit', a.most, 'period', a.period)
      from app.allowance_of(p_account, p_piece, p_first_day, p_first_week) a where a.used >= a.most
  $$;

revoke all on function app.reached_allowance(uuid, uuid, integer, integer) from public;
