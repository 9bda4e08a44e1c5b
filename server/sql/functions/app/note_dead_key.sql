set local role svc_owner;

-- A client used a key that was revoked or has expired: one row an hour for each key. Of a key that nobody has there is
-- nobody to tell.
create or replace function app.note_dead_key(p_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(w.account_id, 'dead_key_used',
                           jsonb_build_object('name', k.name, 'key', k.head || '…' || k.tail))
     from app.api_keys k join app.writers w on w.id = k.writer_id
    where k.key_hash = p_hash and w.account_id is not null and not app.is_live_key(k)
      and not exists (select from app.security_events e
                       where e.account_id = w.account_id and e.act = 'dead_key_used'
                         and e.facts ->> 'key' = k.head || '…' || k.tail and e.at > now() - interval '1 hour');
end
$$;

revoke all on function app.note_dead_key(bytea) from public;
grant execute on function app.note_dead_key(bytea) to svc_api;
