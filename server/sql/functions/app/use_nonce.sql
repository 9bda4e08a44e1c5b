set local role svc_publisher;

-- Uses up the nonce of the revision that was shown, or says what is wrong with it. `p_act` is the name of the act.
create or replace function app.use_nonce(p_piece app.pieces, p_session app.sessions, p_nonce_hash bytea, p_act text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  shown app.publish_nonces;
begin
  update app.publish_nonces set used_at = clock_timestamp()
   where nonce_hash = p_nonce_hash and piece_id = p_piece.id and revision = p_piece.revision
     and session_id = p_session.id and used_at is null and expires_at > clock_timestamp();
  if found then
    return;
  end if;
  select n.* into shown from app.publish_nonces n
   where n.nonce_hash = p_nonce_hash and n.piece_id = p_piece.id and n.session_id = p_session.id;
  raise exception 'error.preview_invalid' using errcode = 'SF412', detail = json_build_object('act', p_act, 'problem', case
      when shown.nonce_hash is null then 'not_shown'
      when shown.revision <> p_piece.revision then 'changed'
      when shown.used_at is not null then 'used'
      else 'expired'
    end)::text;
end
$$;

revoke all on function app.use_nonce(app.pieces, app.sessions, bytea, text) from public;
