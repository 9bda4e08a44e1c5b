set local role svc_publisher;

-- The author of the original agrees, declines, or changes their mind. What was agreed to and is public stays public after a
-- refusal, but is no longer shown as a translation of theirs until they agree again.
create or replace function app.answer_translation(p_piece uuid, p_session_hash bytea, p_agreed boolean) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- Held until the answer is there: a publication that is under way ends first, and a later one sees the answer.
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.signed_in(p_session_hash);
  request app.translation_requests;
begin
  update app.translation_requests r set
    answer = case when p_agreed then 'agreed' else 'declined' end,
    answered_at = date_trunc('milliseconds', clock_timestamp()),
    answered_in = session.id
   where r.piece_id = p_piece
     and r.author_id = (select w.id from app.writers w where w.account_id = session.account_id)
     and r.original_id = (piece.fields ->> 'translation_of')::uuid
  returning * into request;
  if not found then
    raise exception 'error.translation.no_request' using errcode = 'SF404';
  end if;
  if p_agreed and request.was_public then
    update pub.pieces p set translation_of = request.original_id where p.id = p_piece;
  elsif not p_agreed then
    update pub.pieces p set translation_of = null where p.id = p_piece and p.translation_of = request.original_id;
    if found then
      update app.translation_requests r set was_public = true
       where r.piece_id = p_piece and r.original_id = request.original_id;
    end if;
  end if;
  return request.original_id;
end
$$;

revoke all on function app.answer_translation(uuid, bytea, boolean) from public;
grant execute on function app.answer_translation(uuid, bytea, boolean) to svc_desk;
