-- Smaller copies of pictures that are public, made by the worker and kept in the store beside the original. They are
-- derived: a row without `made_at` waits for its turn, and readers get the original meanwhile.

-- step: once
-- include: functions/app/order_media_variants.sql
set local role svc_owner;

create table app.media_variants (
  hash      text     primary key,
  -- Who first showed it: authors take turns.
  author_id uuid     not null references app.writers on delete cascade,
  -- How often it was begun, and how often that failed: what was interrupted is no failure of the picture.
  tries     smallint not null default 0,
  failures  smallint not null default 0,
  made_at   timestamptz
);

create index media_variants_waiting on app.media_variants (author_id, hash)
  where made_at is null and failures < 3 and tries < 30;

-- Before what is there is ordered: nothing may be shown in between.
create trigger order_media_variants after insert on pub.media
  for each row execute function app.order_media_variants();

-- A step of its own: the lock that the foreign key takes on writers ends before it.
-- step: once
set local role svc_owner;
insert into app.media_variants (hash, author_id)
select distinct on (m.hash) m.hash, m.author_id from pub.media m join app.writers w on w.id = m.author_id order by m.hash
on conflict do nothing;
