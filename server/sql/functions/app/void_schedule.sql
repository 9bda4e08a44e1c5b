set local role svc_publisher;

-- What was consented to is no longer what would be published. A change of status is an act of its own, by a person who
-- sees what it means: published by hand, or submitted for review.
create or replace function app.void_schedule() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if new.editor_status <> old.editor_status then
    delete from app.schedules where piece_id = new.id;
    return null;
  end if;
  update app.schedules set voided_at = clock_timestamp(), rendering = null, void_reason = case
      when new.deleted_at is not null then 'deleted'
      when new.review_required then 'review'
      when new.slug is distinct from old.slug then 'address'
      else 'changed' end
   where piece_id = new.id and voided_at is null;
  return null;
end
$$;

revoke all on function app.void_schedule() from public;
grant execute on function app.void_schedule() to svc_owner;
