set local role svc_publisher;

-- A decision with what it is about, locked: the writer or the piece first, as everywhere.
create or replace function app.locked_decision(p_decision uuid) returns app.decisions
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions;
begin
  select d.* into decision from app.decisions d where d.id = p_decision;
  if decision.piece_id is not null then
    perform app.locked_piece(decision.piece_id);
  else
    perform app.lock_writer(decision.writer_id);
    perform from app.products p where p.id = decision.product_id for update;
  end if;
  select d.* into decision from app.decisions d where d.id = p_decision for update;
  return decision;
end
$$;

revoke all on function app.locked_decision(uuid) from public;
