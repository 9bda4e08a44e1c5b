set local role svc_publisher;

-- The cover as it becomes public: null unless the picture is one of the writer's.
create or replace function app.cover_of(p_piece app.pieces) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
  select p_piece.fields -> 'cover' || jsonb_build_object('width', m.width, 'height', m.height)
    from app.media m
   where m.hash = p_piece.fields #>> '{cover,hash}' and m.writer_id = p_piece.writer_id
$$;

revoke all on function app.cover_of(app.pieces) from public;
