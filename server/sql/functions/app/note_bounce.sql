set local role svc_owner;

-- An email came back, or was reported as spam. What will never arrive ends at once; a mailbox that is full gets some days
-- and tries.
create or replace function app.note_bounce(p_email uuid, p_kind text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := clock_timestamp();
  reader app.readers;
begin
  select r.* into reader from app.readers r join app.reader_emails e on e.reader_id = r.id where e.id = p_email for update of r;
  if not found or reader.suppressed_at is not null then
    return;
  end if;
  if p_kind in ('complained', 'bounced') then
    perform app.suppress_reader(reader.id, p_kind);
    return;
  end if;
  update app.readers r set
    bounces = case when fresh.is_old then 1 else least(r.bounces + 1, 1000) end,
    bounced_since = case when fresh.is_old then moment else coalesce(r.bounced_since, moment) end, bounced_at = moment
    from (select coalesce(reader.bounced_at < moment - interval '14 days', true) as is_old) as fresh
   where r.id = reader.id returning r.* into reader;
  if reader.bounces >= :temporary_bounces and reader.bounced_since <= moment - interval :'temporary_bounces_for' then
    perform app.suppress_reader(reader.id, 'bounced');
  end if;
end
$$;

revoke all on function app.note_bounce(uuid, text) from public;
grant execute on function app.note_bounce(uuid, text) to svc_worker;
