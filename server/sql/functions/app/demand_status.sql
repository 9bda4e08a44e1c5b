set local role svc_publisher;

create or replace function app.demand_status(p_piece app.pieces, p_act text, p_from text[]) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_piece.editor_status <> all (p_from) then
    raise exception '%', format('A piece that is %s cannot be %s. Look at it once more to see what can be done.',
      replace(p_piece.editor_status, 'changes_requested', 'waiting for changes'), p_act) using errcode = 'SF409';
  end if;
end
$$;

revoke all on function app.demand_status(app.pieces, text, text[]) from public;
