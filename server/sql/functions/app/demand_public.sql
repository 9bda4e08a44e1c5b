set local role svc_owner;

create or replace function app.demand_public(p_kind text, p_id uuid) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.reportable(p_kind, p_id)) then
    raise exception 'error.not_public' using errcode = 'SF404', detail = json_build_object('kind', p_kind)::text;
  end if;
end
$$;

revoke all on function app.demand_public(text, uuid) from public;
