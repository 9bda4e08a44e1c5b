set local role svc_owner;

-- Links, not the pages that their writer looks at while they work.
create or replace function app.record_link() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'INSERT' and new.revision is null then
    perform app.record_event(new.account_id, 'link_made', jsonb_build_object('piece', new.piece_id));
  elsif tg_op = 'DELETE' and old.revision is null and old.expires_at > clock_timestamp() then
    perform app.record_event(old.account_id, 'link_revoked', jsonb_build_object('piece', old.piece_id));
  end if;
  return null;
end
$$;

revoke all on function app.record_link() from public;
