set local role svc_owner;

create or replace function app.report_leaked_keys(p_hashes bytea[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  leaked record;
begin
  -- Whatever the database's default is: a key that was reported stays dead after a fail-over.
  perform set_config('synchronous_commit', 'remote_apply', true);
  for leaked in
    update app.api_keys k set revoked_at = clock_timestamp()
      from app.writers w
     where k.key_hash = any (p_hashes) and k.revoked_at is null and w.id = k.writer_id
    returning k.head, k.tail, k.writer_id, w.account_id, k.revoked_at
  loop
    insert into app.writer_audit (act, writer_id, note)
    values ('key_leaked', leaked.writer_id, leaked.head || '…' || leaked.tail);
    if leaked.account_id is not null then
      perform jobs.add('mail', jsonb_build_object(
        'to', jsonb_build_object('account', leaked.account_id),
        'letter', 'key-leaked',
        'params', jsonb_build_object('key', leaked.head, 'at', app.iso_time(leaked.revoked_at))));
    end if;
  end loop;
end
$$;

revoke all on function app.report_leaked_keys(bytea[]) from public;
grant execute on function app.report_leaked_keys(bytea[]) to svc_api;
