set local role svc_owner;

-- Nothing is sent to this address any more. What is kept is its hash, so that nobody adds it again.
create or replace function app.suppress_reader(p_reader uuid, p_for text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.count_import_failure(p_reader, p_for);
  perform app.end_follows(p_reader, null);
  update app.reader_emails e set state = 'cancelled', ended_at = clock_timestamp(), lease_token = null
   where e.reader_id = p_reader and e.state = 'pending';
  update app.readers r set
    sealed_address = null, suppressed_at = clock_timestamp(), suppressed_for = p_for, bounced_since = null,
    bounced_at = null, bounces = 0
   where r.id = p_reader and r.suppressed_at is null;
end
$$;

revoke all on function app.suppress_reader(uuid, text) from public;
