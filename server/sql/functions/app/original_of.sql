set local role svc_publisher;

-- The original that a piece may be published as a translation of; null for a piece that is none. Refuses without the consent of
-- the author of the original, who needs none to translate their own.
create or replace function app.original_of(p_piece app.pieces) returns uuid
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  named    uuid := (p_piece.fields ->> 'translation_of')::uuid;
  original app.pieces;
begin
  if named is null then
    return null;
  end if;
  select p.* into original from app.pieces p where p.id = named and p.deleted_at is null;
  if not found then
    raise exception 'error.translation.original_gone' using errcode = 'SF409';
  end if;
  if original.fields ? 'translation_of' then
    raise exception 'error.translation.of_translation' using errcode = 'SF409';
  end if;
  if exists (select from pub.pieces p where p.translation_of = p_piece.id) then
    raise exception 'error.translation.has_translations' using errcode = 'SF409';
  end if;
  if original.writer_id <> p_piece.writer_id
     and not exists (select from app.translation_requests r
                      where r.piece_id = p_piece.id and r.original_id = named and r.answer = 'agreed') then
    raise exception 'error.translation.no_consent' using errcode = 'SF409';
  end if;
  return named;
end
$$;

revoke all on function app.original_of(app.pieces) from public;
