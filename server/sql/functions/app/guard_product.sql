set local role svc_owner;

-- Refuses a status that is not moved by the functions below, also to roles with more rights; counts revisions. Asked
-- once the row is locked: a session that ended while its save waited saves nothing.
create or replace function app.guard_product() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user = 'svc_publisher' then
    return new;
  end if;
  if current_user = 'svc_desk' and app.session_writer() is distinct from new.writer_id then
    raise exception 'no live session' using errcode = 'SF401';
  end if;
  if tg_op = 'INSERT' then
    if new.status <> 'draft' or new.slug is not null or new.first_listed_at is not null or new.withheld is not null then
      raise insufficient_privilege using message = 'a listing begins as a draft; only its writer lists it, at the desk';
    end if;
    -- One at a time for each writer: places and numbers are counted.
    perform pg_advisory_xact_lock(hashtextextended(new.writer_id::text, 8));
    select coalesce(max(p.position), 0) + 1 into new.position from app.products p where p.writer_id = new.writer_id;
    if (select count(*) from app.products p where p.writer_id = new.writer_id and p.id <> new.id) >= 200 then
      raise exception 'error.too_many_listings' using errcode = 'SF419', detail = '{"limit":200}';
    end if;
    return new;
  end if;
  if (new.id, new.writer_id, new.status, new.slug, new.first_listed_at, new.listed_revision, new.listed_related,
      new.withheld, new.position)
     is distinct from
     (old.id, old.writer_id, old.status, old.slug, old.first_listed_at, old.listed_revision, old.listed_related,
      old.withheld, old.position) then
    raise insufficient_privilege using message = 'a listing is listed and withdrawn at the desk, through the desk functions';
  end if;
  if (new.name, new.summary, new.description, new.price, new.currency, new.category, new.image, new.image_alt,
      new.payment_url, new.related)
     is not distinct from
     (old.name, old.summary, old.description, old.price, old.currency, old.category, old.image, old.image_alt,
      old.payment_url, old.related) then
    return old;
  end if;
  new.revision := old.revision + 1;
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;

revoke all on function app.guard_product() from public;
