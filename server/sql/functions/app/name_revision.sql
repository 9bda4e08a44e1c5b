set local role svc_owner;

-- Names a revision of a piece of one's own, or with null takes the name away. False where there is no such revision.
create or replace function app.name_revision(p_piece uuid, p_revision integer, p_name text) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  -- Not while the worker decides what is kept.
  perform pg_advisory_xact_lock_shared(7305342);
  if not exists (select from app.revisions r where r.piece_id = p_piece and r.revision = p_revision) then
    return false;
  end if;
  if p_name is null then
    delete from app.revision_names n where n.piece_id = p_piece and n.revision = p_revision;
  else
    insert into app.revision_names (piece_id, revision, writer_id, name)
    values (p_piece, p_revision, app.session_writer(), p_name)
    on conflict (piece_id, revision) do update set name = excluded.name;
  end if;
  return true;
end
$$;

revoke all on function app.name_revision(uuid, integer, text) from public;
grant execute on function app.name_revision(uuid, integer, text) to svc_desk;
