set local role svc_publisher;

create or replace function app.show_if_public(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from pub.authors a where a.id = p_writer) then
    perform app.show_author(p_writer);
  end if;
end
$$;

revoke all on function app.show_if_public(uuid) from public;
