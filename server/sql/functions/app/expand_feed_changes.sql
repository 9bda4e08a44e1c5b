set local role svc_owner;

-- Notes the oldest change for the next subscriptions of the feeds that it may be in. False if there is nothing left to note.
create or replace function app.expand_feed_changes(p_most integer) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := clock_timestamp();
  change app.feed_changes;
  noted  uuid[];
begin
  -- In one statement: who subscribes after it has begun needs none of them.
  delete from app.feed_changes c where not exists (select from app.feed_subscriptions s);
  select c.* into change from app.feed_changes c order by c.id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  if change.subjects is null then
    noted := array(select s.id from app.feed_subscriptions s
                    where change.through is null or s.id > change.through order by s.id limit p_most);
  else
    -- Each subject's next subscriptions in order, so that no list of all is sorted.
    noted := array(
      select distinct next.id
        from unnest(change.subjects) as one (subject),
             lateral (select s.id from app.feed_subscriptions s
                       where s.subject = one.subject and (change.through is null or s.id > change.through)
                       order by s.id limit p_most) as next
       order by next.id limit p_most);
  end if;
  perform app.line_up_feed_host(h.host, moment)
     from (select distinct s.host from app.feed_subscriptions s where s.id = any (noted) order by s.host) h;
  -- What waits to be sent, or is tried again later, has this change too by then.
  update app.feed_subscriptions s set changes = s.changes + 1, due_at = coalesce(s.due_at, moment)
   where s.id = any (noted) and s.expires_at > moment;
  if cardinality(noted) < p_most then
    delete from app.feed_changes c where c.id = change.id;
  else
    update app.feed_changes c set through = noted[p_most] where c.id = change.id;
  end if;
  return true;
end
$$;

revoke all on function app.expand_feed_changes(integer) from public;
grant execute on function app.expand_feed_changes(integer) to svc_worker;
