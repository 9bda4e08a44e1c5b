set local role svc_publisher;

-- What has been in the trash for 30 days, `p_limit` at most; says how many.
create or replace function app.sweep_trash(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
  swept integer := 0;
begin
  for piece in
    select p.* from app.pieces p where p.deleted_at < now() - interval :'trash_retention'
     order by p.deleted_at limit p_limit for update skip locked
  loop
    delete from app.pieces where id = piece.id;
    perform app.note_deletion('delete_for_good', piece, null, null, null);
    swept := swept + 1;
  end loop;
  return swept;
end
$$;

revoke all on function app.sweep_trash(integer) from public;
grant execute on function app.sweep_trash(integer) to svc_worker;
