set local role svc_publisher;

-- "tea", or "tea-2" where this writer has that already; beyond the twentieth, random characters.
create or replace function app.free_series_slug(p_writer uuid, p_slug text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  as $$
declare
  candidate text := p_slug;
  copy      integer := 1;
begin
  while exists (select from app.series where writer_id = p_writer and slug = candidate) loop
    copy := copy + 1;
    candidate := p_slug || '-' || case when copy <= 20 then copy::text else left(gen_random_uuid()::text, 8) end;
  end loop;
  return candidate;
end
$$;

revoke all on function app.free_series_slug(uuid, text) from public;
