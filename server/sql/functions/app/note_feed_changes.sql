set local role svc_owner;

-- The feeds that may be different and the pieces that other servers have, in the transaction that publishes, changes or hides
-- pieces. A worker finds out which are.
create or replace function app.note_feed_changes() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- Of more, as when a site is copied, all feeds are looked at.
  most    constant integer := 100;
  found   integer;
  changed text[];
begin
  if tg_op = 'INSERT' then
    select count(*) into found from (select from come limit most + 1) c;
    if found <= most then
      changed := array(select distinct s from come c, unnest(app.feed_subjects(c.id, c.author_id, c.co_authors, c.category, c.tags)) s);
    end if;
  elsif tg_op = 'DELETE' then
    select count(*) into found from (select from gone limit most + 1) g;
    if found <= most then
      changed := array(select distinct s from gone g, unnest(app.feed_subjects(g.id, g.author_id, g.co_authors, g.category, g.tags)) s)
                 || 'trending'::text;
    end if;
  else
    select count(*) into found from (select from come limit most + 1) c;
    if found <= most then
      changed := array(select distinct s
                         from (select * from gone union all select * from come) c,
                              unnest(app.feed_subjects(c.id, c.author_id, c.co_authors, c.category, c.tags)) s)
                 || 'trending'::text;
    end if;
  end if;
  if found > 0 then
    insert into app.feed_changes (subjects) values (changed);
  end if;
  if exists (select from app.fediverse_actors a) then
    if tg_op = 'DELETE' then
      insert into app.fediverse_changes (piece_id, is_new) select g.id, false from gone g;
    else
      insert into app.fediverse_changes (piece_id, is_new) select c.id, tg_op = 'INSERT' from come c;
    end if;
  end if;
  return null;
end
$$;

revoke all on function app.note_feed_changes() from public;
