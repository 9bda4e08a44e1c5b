set local role svc_publisher;

-- Notes where a draft comes from, in the transaction in which its writer creates it. A date that cannot be is none.
create or replace function app.desk_import(p_piece uuid, p_session_hash bytea, p_service text, p_original_at timestamptz,
                                           p_notes text[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces := app.locked_piece(p_piece);
  at    timestamptz := date_trunc('milliseconds', now());
begin
  perform app.writer_session(piece, p_session_hash);
  if piece.created_at <> at or piece.revision <> 1 or piece.begun_by_key is not null or piece.editor_status <> 'draft' then
    raise insufficient_privilege using message = 'where a draft was imported from is noted when it is created';
  end if;
  insert into app.imports (piece_id, writer_id, service, original_at, imported_at, notes)
  values (piece.id, piece.writer_id, p_service,
          case when p_original_at between '1990-01-01T00:00Z' and at then date_trunc('milliseconds', p_original_at) end,
          at, p_notes);
end
$$;

revoke all on function app.desk_import(uuid, bytea, text, timestamp with time zone, text[]) from public;
grant execute on function app.desk_import(uuid, bytea, text, timestamp with time zone, text[]) to svc_desk;
