set local role svc_publisher;

-- The invited person agrees, declines, or takes back their name; true if the answer is another than before. Readers of a
-- public piece see it at once.
create or replace function app.answer_co_author(p_piece uuid, p_session_hash bytea, p_agreed boolean) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- Held until the answer is there: a publication that is under way ends first, and a later one sees the answer.
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.signed_in(p_session_hash);
  invited app.co_authors;
  wanted  text;
begin
  select c.* into invited from app.co_authors c
   where c.piece_id = piece.id and c.invited_by = piece.writer_id and c.removed_at is null
     and c.writer_id = (select w.id from app.writers w where w.account_id = session.account_id) for update;
  if not found then
    raise exception 'error.co_authors.no_invitation' using errcode = 'SF404';
  end if;
  if p_agreed and exists (select from app.suspensions s where s.writer_id = invited.writer_id) then
    raise exception 'error.suspended' using errcode = 'SF4SU';
  end if;
  wanted := case when p_agreed then 'agreed' when invited.answer in ('agreed', 'withdrawn') then 'withdrawn' else 'declined' end;
  if invited.answer is not distinct from wanted then
    return false;
  end if;
  update app.co_authors c set
    answer = wanted, answered_at = date_trunc('milliseconds', clock_timestamp()), answered_in = session.id
   where c.piece_id = invited.piece_id and c.writer_id = invited.writer_id;
  return true;
end
$$;

revoke all on function app.answer_co_author(uuid, bytea, boolean) from public;
grant execute on function app.answer_co_author(uuid, bytea, boolean) to svc_desk;
