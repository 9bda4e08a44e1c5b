set local role svc_owner;

create or replace function app.record_key() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(w.account_id, case tg_op when 'INSERT' then 'key_made' else 'key_revoked' end,
                           jsonb_build_object('name', new.name, 'key', new.head || '…' || new.tail))
     from app.writers w where w.id = new.writer_id and w.account_id is not null;
  return null;
end
$$;

revoke all on function app.record_key() from public;
