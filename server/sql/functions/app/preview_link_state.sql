set local role svc_publisher;

-- Of a private link that its writer gave to others: whether its piece and its writer have public pages. Null for a page
-- at the desk.
create or replace function app.preview_link_state(p_token_hash bytea) returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (
    select jsonb_build_object(
             'isPublic', exists (select from pub.pieces b where b.id = p.id),
             'hasAuthorPage', exists (select from pub.authors b where b.id = p.writer_id))
      from app.previews v join app.pieces p on p.id = v.piece_id
     where v.token_hash = p_token_hash and v.revision is null);
end
$$;

revoke all on function app.preview_link_state(bytea) from public;
grant execute on function app.preview_link_state(bytea) to svc_desk;
