set local role svc_publisher;

-- The desk and imports call a piece "Untitled" until it has a headline. Readers never see that.
create or replace function app.demand_headline(p_piece app.pieces) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if lower(p_piece.headline) = 'untitled' then
    raise exception 'error.headline_missing' using errcode = 'SF400';
  end if;
end
$$;

revoke all on function app.demand_headline(app.pieces) from public;
