set local role svc_publisher;

-- `p_act` is the name of the act.
create or replace function app.demand_status(p_piece app.pieces, p_act text, p_from text[]) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_piece.editor_status <> all (p_from) then
    raise exception 'error.piece_status' using errcode = 'SF409',
      detail = json_build_object('act', p_act, 'status', p_piece.editor_status, 'next', 'reload')::text;
  end if;
end
$$;

revoke all on function app.demand_status(app.pieces, text, text[]) from public;
