set local role svc_owner;

-- The holder of the address confirms what was asked for with it. Writers' welcomes follow.
create or replace function app.confirm_follows(p_reader uuid, p_sealed_network bytea) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment    timestamptz := clock_timestamp();
  confirmed text[];
  reader    app.readers;
  writer    uuid;
begin
  select r.* into reader from app.readers r where r.id = p_reader and r.suppressed_at is null for update;
  if not found then
    return 0;
  end if;
  with done as (
    update app.follows f set confirmed_at = moment, confirmed_from = p_sealed_network, import_id = null
     where f.reader_id = p_reader and f.confirmed_at is null
    returning f.subject
  )
  select coalesce(array_agg(d.subject order by d.subject), '{}') into confirmed from done d;
  insert into app.follower_days as d (subject, day, gained)
  select s, (moment at time zone 'UTC')::date, 1 from unnest(confirmed) s
  on conflict (subject, day) do update set gained = d.gained + 1;
  delete from app.former_followers e
   where e.address_hash = reader.address_hash and 'author:' || e.writer_id = any (confirmed);
  for writer in
    select w.writer_id from app.welcomes w where 'author:' || w.writer_id = any (confirmed) order by 1
  loop
    perform app.order_reader_email(p_reader, reader.domain_hash, 'welcome', writer);
  end loop;
  return cardinality(confirmed);
end
$$;

revoke all on function app.confirm_follows(uuid, bytea) from public;
grant execute on function app.confirm_follows(uuid, bytea) to svc_desk;
