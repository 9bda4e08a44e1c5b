set local role svc_publisher;

-- Consent to a piece that is deleted for good ends with it: its id can be used again.
create or replace function app.forget_co_authors() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.co_authors c set
    removed_at = clock_timestamp(), answer = null, answered_at = null, answered_in = null
   where c.piece_id = old.id and c.removed_at is null;
  return null;
end
$$;

revoke all on function app.forget_co_authors() from public;
grant execute on function app.forget_co_authors() to svc_owner;
