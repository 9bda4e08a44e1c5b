set local role svc_owner;

-- The signed-in writer; null for the site, which moderators act for.
create or replace function app.fediverse_owner(p_site boolean) returns uuid
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.session_writer();
begin
  if p_site and not app.session_moderates() then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  if p_site then
    return null;
  end if;
  if writer is null then
    raise exception 'error.writers_only' using errcode = 'SF403';
  end if;
  return writer;
end
$$;

revoke all on function app.fediverse_owner(boolean) from public;
