set local role svc_publisher;

-- Of a piece that a moderator names. Row security hides from them what is not theirs to read; this tells its state alone.
create or replace function app.status_for_review(p_piece uuid, p_session_hash bytea) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return (select p.editor_status from app.pieces p
           where p.id = p_piece and p.deleted_at is null and app.moderates(session));
end
$$;

revoke all on function app.status_for_review(uuid, bytea) from public;
grant execute on function app.status_for_review(uuid, bytea) to svc_desk;
