set local role svc_publisher;

-- One's own, and for a moderator what a piece that waits for them shows; what it showed before is its writer's alone.
create or replace function app.desk_media(p_session_hash bytea, p_hash text) returns table (type text, bytes integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select m.type, m.bytes from app.media m join app.writers w on w.id = m.writer_id
     where m.hash = p_hash
       and (w.account_id = session.account_id
            or app.moderates(session) and exists (
                 select from app.piece_media n join app.pieces p on p.id = n.piece_id
                  where n.hash = m.hash and n.writer_id = m.writer_id and p.editor_status = 'pending'
                    and (position('/media/' || m.hash in p.body_md) > 0 or p.fields #>> '{cover,hash}' = m.hash)))
     limit 1;
end
$$;

revoke all on function app.desk_media(bytea, text) from public;
grant execute on function app.desk_media(bytea, text) to svc_desk;
