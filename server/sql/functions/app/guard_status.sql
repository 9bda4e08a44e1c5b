set local role svc_owner;

-- Refuses a status that is not moved by the publishing functions, and another address after the first publication; counts
-- revisions and notes who made each. A save that changes nothing is none.
create or replace function app.guard_status() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  saver record;
begin
  if tg_op = 'UPDATE' and old.first_published_at is not null and new.slug is distinct from old.slug then
    raise insufficient_privilege using message = 'the address of a piece stays after its first publication';
  end if;
  if current_user = 'svc_publisher' then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.editor_status <> 'draft' or new.slug is not null or new.first_published_at is not null then
      raise insufficient_privilege using message = 'a piece begins as a draft; only its writer publishes it, at the desk';
    end if;
    saver := app.saver(new.writer_id);
    new.begun_by_key := saver.key_id;
    new.saved_by_key := saver.key_id;
    new.saved_by_account := saver.account_id;
    return new;
  end if;
  if (new.id, new.writer_id, new.editor_status, new.slug, new.first_published_at, new.review_required)
     is distinct from
     (old.id, old.writer_id, old.editor_status, old.slug, old.first_published_at, old.review_required) then
    raise insufficient_privilege using message = 'the status of a piece is changed at the desk, through the desk functions';
  end if;
  if (new.headline, new.sub, new.body_md, new.category, new.tags, new.frame, new.style, new.locale, new.fields)
     is not distinct from
     (old.headline, old.sub, old.body_md, old.category, old.tags, old.frame, old.style, old.locale, old.fields) then
    return old;
  end if;
  saver := app.saver(new.writer_id);
  new.saved_by_key := saver.key_id;
  new.saved_by_account := saver.account_id;
  new.begun_by_key := old.begun_by_key;
  new.revision := old.revision + 1;
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;

revoke all on function app.guard_status() from public;
