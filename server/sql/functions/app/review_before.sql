set local role svc_publisher;

-- What moderators last had before them of a piece that waits, so that they need to read only what is new. Taken down
-- was what readers had, whatever its writer had changed since. No row where nobody has read it yet.
create or replace function app.review_before(p_piece uuid, p_session_hash bytea)
  returns table (revision integer, headline text, sub text, body_md text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
  last  app.audit;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.editor_status = 'pending';
  perform app.moderator_session(piece, p_session_hash);
  select t.* into last from app.audit t
   where t.piece_id = p_piece and t.act in ('approve', 'request_changes', 'reject', 'take_down')
   order by t.id desc limit 1;
  if last.act = 'take_down' then
    select t.* into last from app.audit t
     where t.piece_id = p_piece and t.to_status = 'approved' and t.act <> 'dismiss_reports' and t.id < last.id
     order by t.id desc limit 1;
  end if;
  return query
    select r.revision, r.headline, r.sub, r.body_md from app.past_revisions r
     where r.piece_id = p_piece and r.revision = last.revision
    union all
    select piece.revision, piece.headline, piece.sub, piece.body_md where piece.revision = last.revision;
end
$$;

revoke all on function app.review_before(uuid, bytea) from public;
grant execute on function app.review_before(uuid, bytea) to svc_desk;
