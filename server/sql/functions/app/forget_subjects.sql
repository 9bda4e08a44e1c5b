set local role svc_owner;

-- What can be followed no more: nobody follows it, and who follows nothing else is forgotten. Who subscribed to its feed hears
-- that there is none.
create or replace function app.forget_subjects(p_subjects text[]) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  followers uuid[];
begin
  with ended as (
    delete from app.follows f where f.subject = any (p_subjects) returning f.reader_id
  )
  select array_agg(distinct e.reader_id) into followers from ended e;
  delete from app.follower_days d where d.subject = any (p_subjects);
  delete from app.readers r
   where r.id = any (followers) and r.suppressed_at is null
     and not exists (select from app.follows f where f.reader_id = r.id);
  insert into app.feed_changes (subjects) values (p_subjects);
end
$$;

revoke all on function app.forget_subjects(text[]) from public;
