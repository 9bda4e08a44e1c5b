set local role svc_owner;

-- A reader's address is given up: the imports that brought it count that, and where too many are, none of the writer's imported
-- readers gets emails.
create or replace function app.count_import_failure(p_reader uuid, p_for text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  one app.follower_imports;
begin
  for one in
    update app.follower_imports i set
      bounced = i.bounced + (p_for = 'bounced')::integer, complained = i.complained + (p_for = 'complained')::integer
     where i.id in (select f.import_id from app.follows f where f.reader_id = p_reader and f.import_id is not null)
    returning i.*
  loop
    update app.follower_imports i set stopped_at = clock_timestamp()
     where i.writer_id = one.writer_id and i.agreed_at is not null and i.stopped_at is null
       and (select sum(a.bounced) >= :imported_bounces_at_least
                   and sum(a.bounced) * 100 > sum(a.added + a.asked) * :imported_bounces_percent
                or sum(a.complained) >= :imported_complaints_at_least
                   and sum(a.complained) * 1000 > sum(a.added + a.asked) * :imported_complaints_per_thousand
              from app.follower_imports a where a.writer_id = one.writer_id);
  end loop;
end
$$;

revoke all on function app.count_import_failure(uuid, text) from public;
