set local role svc_publisher;

-- The texts for search engines and shared links that the page of what a token shows would have.
create or replace function app.previewed_meta(p_token_hash bytea) returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  return (select t.fields -> 'meta' from app.previewed_text(live) t where live.id is not null);
end
$$;

revoke all on function app.previewed_meta(bytea) from public;
grant execute on function app.previewed_meta(bytea) to svc_desk;
