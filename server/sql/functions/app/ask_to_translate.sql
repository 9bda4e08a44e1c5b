set local role svc_publisher;

-- Asks the author of the original whether this may be published as its translation. True if they had not been asked before.
-- They may read the piece from then on.
create or replace function app.ask_to_translate(p_piece uuid, p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece    app.pieces := app.locked_piece(p_piece);
  session  app.sessions := app.writer_session(piece, p_session_hash);
  original pub.pieces;
begin
  select p.* into original from pub.pieces p where p.id = (piece.fields ->> 'translation_of')::uuid;
  if not found then
    raise exception 'error.translation.original_not_public' using errcode = 'SF409';
  end if;
  if original.author_id = piece.writer_id then
    return false;
  end if;
  if exists (select from app.suspensions s where s.writer_id = piece.writer_id) then
    raise exception 'error.suspended' using errcode = 'SF4SU';
  end if;
  if exists (select from app.translation_requests r where r.piece_id = piece.id and r.original_id = original.id) then
    return false;
  end if;
  -- So many a day of one author, and in all.
  if (select count(*) filter (where r.author_id = original.author_id) >= 10 or count(*) >= 20
        from app.translation_requests r
       where r.translator_id = piece.writer_id and r.asked_at > clock_timestamp() - interval '1 day') then
    raise exception 'error.translation.too_many_asked' using errcode = 'SF419';
  end if;
  insert into app.translation_requests (piece_id, original_id, translator_id, author_id)
  values (piece.id, original.id, piece.writer_id, original.author_id)
  on conflict do nothing;
  return true;
end
$$;

revoke all on function app.ask_to_translate(uuid, bytea) from public;
grant execute on function app.ask_to_translate(uuid, bytea) to svc_desk;
