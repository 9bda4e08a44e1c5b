set local role svc_publisher;

-- The author of the original agrees, declines, or changes their mind; true if the answer is another than before. What was
-- agreed to and is public stays public after a refusal, but is no longer shown as a translation of theirs until they agree again.
create or replace function app.answer_translation(p_piece uuid, p_session_hash bytea, p_original uuid, p_agreed boolean)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- Held until the answer is there: a publication that is under way ends first, and a later one sees the answer.
  piece     app.pieces := app.locked_piece(p_piece);
  session   app.sessions := app.signed_in(p_session_hash);
  author    uuid := (select w.id from app.writers w where w.account_id = session.account_id);
  wanted    text := case when p_agreed then 'agreed' else 'declined' end;
  was_given text;
begin
  select r.answer into was_given from app.translation_requests r
   where r.piece_id = piece.id and r.original_id = p_original and r.author_id = author for update;
  if not found then
    raise exception 'error.translation.no_request' using errcode = 'SF404';
  end if;
  if was_given is not distinct from wanted then
    return false;
  end if;
  update app.translation_requests r set
    answer = wanted, answered_at = date_trunc('milliseconds', clock_timestamp()), answered_in = session.id
   where r.piece_id = piece.id and r.original_id = p_original;
  if not p_agreed then
    update pub.pieces p set translation_of = null where p.id = piece.id and p.translation_of = p_original;
  elsif (piece.fields ->> 'translation_of')::uuid = p_original
        and piece.revision = (select max(a.revision) from app.audit a
                               where a.piece_id = piece.id and a.to_status = 'approved') then
    -- The revision that is public names it.
    update pub.pieces p set translation_of = p_original where p.id = piece.id;
  end if;
  return true;
end
$$;

revoke all on function app.answer_translation(uuid, bytea, uuid, boolean) from public;
grant execute on function app.answer_translation(uuid, bytea, uuid, boolean) to svc_desk;
