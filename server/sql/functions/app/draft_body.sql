set local role svc_publisher;

-- The body of a draft that is the key's to read. A key never reads the body of a piece that is past being one.
create or replace function app.draft_body(p_piece uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select p.body_md from app.pieces p
           where p.id = p_piece and p.editor_status = 'draft' and p.deleted_at is null
             and p.writer_id = app.key_writer() and app.key_may('drafts:read', p.begun_by_key));
end
$$;

revoke all on function app.draft_body(uuid) from public;
grant execute on function app.draft_body(uuid) to svc_api;
