set local role svc_publisher;

-- The original that a piece may be published as a translation of; null for a piece that is none. Refuses, and says why, what
-- keep_agreed would drop without a word.
create or replace function app.original_of(p_piece app.pieces) returns uuid
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  named uuid := (p_piece.fields ->> 'translation_of')::uuid;
begin
  if named is null then
    return null;
  end if;
  if not exists (select from app.pieces p where p.id = named and p.deleted_at is null) then
    raise exception 'error.translation.original_gone' using errcode = 'SF409';
  end if;
  if exists (select from pub.pieces p where p.id = named and p.translation_of is not null) then
    raise exception 'error.translation.of_translation' using errcode = 'SF409';
  end if;
  if exists (select from pub.pieces p where p.translation_of = p_piece.id) then
    raise exception 'error.translation.has_translations' using errcode = 'SF409';
  end if;
  if not app.is_agreed(p_piece.id, p_piece.writer_id, named) then
    raise exception 'error.translation.no_consent' using errcode = 'SF409';
  end if;
  return named;
end
$$;

revoke all on function app.original_of(app.pieces) from public;
