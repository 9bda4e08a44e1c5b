set local role svc_publisher;

create or replace function app.write_packed(p_row app.packed_revisions) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.packed_revisions select p_row.*
    on conflict (piece_id, first_revision) do update set bytes = excluded.bytes, saves = excluded.saves;
end
$$;

revoke all on function app.write_packed(app.packed_revisions) from public;
