-- The shop: what writers sell, private until they list it. Paying happens at an address of theirs, never here.
--
-- app.products is the working copy, pub.products what readers get. As with pieces, only a function of the publisher writes
-- the public one, with a live session of the listing's own writer and the revision they were shown: listing and updating
-- copy exactly that, withdrawing removes it at once. A key has no right on listings at all.
-- Addresses are unique in the house, made at the first listing, and never given again: an old link leads to no stranger.
-- Whoever runs the house withholds a listing with a reason; its writer cannot list it again until it is allowed.
-- Errors: SF400 not all of them, SF401 no live session, SF404 not theirs, SF409 not from this state, SF412 another revision,
-- SF419 enough listings.
--
-- Lock: none that matters; the tables are new.

set local role svc_owner;

create table app.products (
  id              uuid          primary key default gen_random_uuid(),
  writer_id       uuid          not null references app.writers,
  status          text          not null default 'draft' check (status in ('draft', 'listed')),
  name            text          not null check (char_length(name) between 1 and 120),
  summary         text          check (char_length(summary) between 1 and 300),
  -- Plain text; an empty line begins a paragraph.
  description     text          check (char_length(description) between 1 and 10000),
  price           numeric(12,2) check (price >= 0),
  currency        text          check (currency ~ '^[A-Z]{3}$'),
  category        text          check (char_length(category) between 1 and 40),
  -- A picture of the writer's, by its hash.
  image           text          check (image ~ '^[0-9a-f]{64}$'),
  image_alt       text          check (char_length(image_alt) between 1 and 300),
  payment_url     text          not null check (payment_url ~ '^https://' and char_length(payment_url) <= 2048),
  -- Pieces of the writer's, in their order.
  related         uuid[]        not null default '{}' check (cardinality(related) <= 8),
  position        integer       not null default 0,
  revision        integer       not null default 1 check (revision > 0),
  -- What readers have; null while they have nothing.
  listed_revision integer,
  slug            text          unique check (slug ~ '^[a-z0-9][a-z0-9-]*$' and char_length(slug) <= 90),
  first_listed_at timestamptz,
  -- What was public of `related` when readers last got it.
  listed_related  uuid[]        not null default '{}',
  -- Why the house took it out of the shop; while this stands, it is not listed.
  withheld        text          check (char_length(withheld) between 1 and 1000),
  created_at      timestamptz   not null default date_trunc('milliseconds', now()),
  updated_at      timestamptz   not null default date_trunc('milliseconds', now()),
  check ((price is null) = (currency is null)),
  check ((status = 'listed') = (listed_revision is not null)),
  check (status <> 'listed' or (slug is not null and first_listed_at is not null)),
  check (status <> 'listed' or withheld is null)
);
create index products_of_writer on app.products (writer_id, position, id);

create table app.product_slugs (
  slug       text        primary key,
  product_id uuid        not null,
  writer_id  uuid        not null,
  kept_at    timestamptz not null default now()
);
-- How many names a writer took lately.
create index product_slugs_of_writer on app.product_slugs (writer_id, kept_at);

-- Which picture a working copy names, so that it is kept; derived.
create table app.product_media (
  product_id uuid primary key references app.products on delete cascade,
  hash       text not null,
  writer_id  uuid not null
);
create index product_media_of_writer on app.product_media (writer_id, hash);

-- As app.audit is for pieces.
create table app.product_audit (
  id          bigint      generated always as identity primary key,
  at          timestamptz not null default now(),
  act         text        not null,
  product_id  uuid        not null,
  writer_id   uuid        not null,
  account_id  uuid,
  session_id  uuid,
  revision    integer     not null,
  from_status text        not null,
  to_status   text        not null,
  -- Why the house acted; emptied when its writer leaves.
  note        text
);
create index product_audit_of_writer on app.product_audit (writer_id, id);

create table pub.products (
  id           uuid          primary key,
  author_id    uuid          not null references pub.authors,
  slug         text          not null unique,
  name         text          not null,
  summary      text,
  description  text,
  price        numeric(12,2),
  currency     text,
  category     text,
  image        text,
  image_alt    text,
  image_width  integer,
  image_height integer,
  payment_url  text          not null,
  -- Public ones at the time; one that was unpublished since is not shown.
  related      uuid[]        not null,
  position     integer       not null,
  -- Whole milliseconds, as for pieces: a cursor made of one must find its place again.
  listed_at    timestamptz   not null check (listed_at = date_trunc('milliseconds', listed_at)),
  updated_at   timestamptz   not null check (updated_at = date_trunc('milliseconds', updated_at)),
  name_folded  text          not null,
  -- Name, summary, category and description as search sees them, a line each: no term spans two.
  search_text  text          not null
);
create index products_by_recency on pub.products (listed_at desc, id desc);
create index products_by_author on pub.products (author_id, listed_at desc, id desc);
create index products_in_order on pub.products (author_id, position, id);
create index products_by_name on pub.products using gin (name_folded gin_trgm_ops) with (fastupdate = off);
create index products_by_text on pub.products using gin (search_text gin_trgm_ops) with (fastupdate = off);

-- ------------------------------------------------------------------------------------ who may do what

grant select on pub.products to svc_public, svc_publisher;
grant insert, update, delete on pub.products to svc_publisher;

grant select, delete on app.products to svc_desk;
grant insert (id, writer_id, name, summary, description, price, currency, category, image, image_alt, payment_url, related)
  on app.products to svc_desk;
grant update (name, summary, description, price, currency, category, image, image_alt, payment_url, related)
  on app.products to svc_desk;
grant select on app.product_audit to svc_desk;

grant select, insert, delete on app.products to svc_publisher;
grant update (status, slug, first_listed_at, listed_revision, listed_related, withheld, position) on app.products to svc_publisher;
grant select, insert on app.product_slugs to svc_publisher;
grant insert, select (writer_id, note), update (note) on app.product_audit to svc_publisher;

alter table app.products enable row level security, force row level security;
create policy desk_reads_own on app.products for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy desk_drafts on app.products for insert to svc_desk
  with check (writer_id = (select app.session_writer()) and status = 'draft');
create policy desk_edits_own on app.products for update to svc_desk
  using (writer_id = (select app.session_writer()))
  with check (writer_id = (select app.session_writer()));
create policy desk_deletes_drafts on app.products for delete to svc_desk
  using (writer_id = (select app.session_writer()) and status = 'draft');
create policy publisher_acts on app.products to svc_publisher using (true) with check (true);

alter table app.product_audit enable row level security;
create policy desk_reads_own on app.product_audit for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy publisher_adds on app.product_audit to svc_publisher using (true) with check (true);

create trigger guard_public before insert or update or delete or truncate on pub.products
  for each statement execute function app.guard_public();
alter table pub.products enable always trigger guard_public;
create trigger guard_audit before delete or truncate on app.product_audit
  for each statement execute function app.guard_audit();
alter table app.product_audit enable always trigger guard_audit;

-- As for writers in 0017: rows stay as they are, but for a note that goes with whom it is about.
create function app.guard_product_audit() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user = 'svc_publisher' and new.note is null
     and (new.id, new.at, new.act, new.product_id, new.writer_id, new.account_id, new.session_id, new.revision,
          new.from_status, new.to_status)
         is not distinct from
         (old.id, old.at, old.act, old.product_id, old.writer_id, old.account_id, old.session_id, old.revision,
          old.from_status, old.to_status) then
    return new;
  end if;
  raise insufficient_privilege using message = 'the audit trail is only ever added to';
end
$$;
create trigger guard_product_audit before update on app.product_audit
  for each row execute function app.guard_product_audit();
alter table app.product_audit enable always trigger guard_product_audit;

-- Refuses a status that is not moved by the functions below, also to whoever holds more rights; counts revisions. Asked
-- once the row is locked: a session that ended while its save waited saves nothing.
create function app.guard_product() returns trigger
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
      raise exception 'You have 200 listings, which is the most. Delete one you no longer need, then add this one.'
        using errcode = 'SF419';
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

create trigger guard_product before insert or update on app.products
  for each row execute function app.guard_product();
alter table app.products enable always trigger guard_product;

create function app.guard_product_delete() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if old.status = 'listed' and current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'a listing is withdrawn before it is deleted';
  end if;
  return old;
end
$$;

create trigger guard_product_delete before delete on app.products
  for each row execute function app.guard_product_delete();
alter table app.products enable always trigger guard_product_delete;
create trigger guard_truncate before truncate on app.products
  for each statement execute function app.guard_truncate();
alter table app.products enable always trigger guard_truncate;

-- ------------------------------------------------------------------------------------ pictures

create function app.note_product_media() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.product_media where product_id = new.id;
  insert into app.product_media (product_id, hash, writer_id)
  select new.id, m.hash, m.writer_id from app.media m where m.hash = new.image and m.writer_id = new.writer_id;
  if new.image is not null and not found then
    raise exception 'You have no such picture. Upload it first.' using errcode = 'SF404';
  end if;
  return null;
end
$$;

create trigger note_media after insert or update of image on app.products
  for each row execute function app.note_product_media();
alter table app.products enable always trigger note_media;

-- As for pieces: public in the transaction that shows the listing, and no longer than it.
create function app.show_media_of_product() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.media where shown_by = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into pub.media (hash, shown_by, author_id, type, bytes)
    select m.hash, new.id, new.author_id, m.type, m.bytes
      from app.media m where m.hash = new.image and m.writer_id = new.author_id;
  end if;
  return null;
end
$$;

create trigger show_media after insert or delete or update of image on pub.products
  for each row execute function app.show_media_of_product();
alter table pub.products enable always trigger show_media;

-- As in 0013, and not what a listing names.
create or replace function app.sweep_media() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  delete from app.media where (writer_id, hash) in (
    select m.writer_id, m.hash from app.media m
     where m.created_at < clock_timestamp() - interval '7 days'
       and not exists (select from app.piece_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.product_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.writers w where w.id = m.writer_id and w.avatar_url like '%/media/' || m.hash)
       and not exists (select from pub.media s where s.hash = m.hash and s.author_id = m.writer_id)
     limit 500);
  get diagnostics swept = row_count;
  return swept;
end
$$;

revoke all on function app.guard_product(), app.guard_product_delete(), app.guard_product_audit(),
  app.note_product_media(), app.show_media_of_product() from public;

-- ------------------------------------------------------------------------------------ the writer's acts

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Locked, if it is live and theirs: the writer first, then the listing, then the session, which may have ended meanwhile.
create function app.own_product(p_product uuid, p_session_hash bytea, out product app.products, out session app.sessions)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.id = p_product;
  select p.* into product from app.products p where p.id = p_product for update;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = product.writer_id and w.account_id = session.account_id) then
    raise exception 'You have no such listing. Your shop shows those you have.' using errcode = 'SF404';
  end if;
end
$$;

-- The revision the writer was shown, from this state; or what is the matter.
create function app.demand_product(p_product app.products, p_from text, p_revision integer) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_product.status is distinct from p_from then
    raise exception '%', case p_from
      when 'draft' then 'It is listed already. Update it instead.'
      else 'It is not listed. List it first.'
    end using errcode = 'SF409';
  end if;
  if p_product.revision is distinct from p_revision then
    raise exception 'It has changed since you looked at it: it is at revision %. Look at it once more.', p_product.revision
      using errcode = 'SF412';
  end if;
end
$$;

create function app.trail_product(p_product app.products, p_session app.sessions, p_act text, p_to text,
                                  p_note text default null) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.product_audit (act, product_id, writer_id, account_id, session_id, revision, from_status, to_status,
                                   note)
    values (p_act, p_product.id, p_product.writer_id, p_session.account_id, p_session.id, p_product.revision,
            p_product.status, p_to, p_note)
  $$;

-- "on-tea", or "on-tea-2" where the house has that already; beyond the twentieth, some letters of chance. A name is taken
-- for good, so nobody takes many: the writer is locked, and what they deleted since counts too.
create function app.keep_product_slug(p_product app.products, p_slug text) returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  candidate text := p_slug;
  copy      integer := 1;
begin
  if (select count(*) from app.product_slugs s
       where s.writer_id = p_product.writer_id and s.kept_at > now() - interval '24 hours') >= 50 then
    raise exception 'You have listed 50 new things within a day, which is the most. List this one tomorrow; until then it stays a draft.'
      using errcode = 'SF419';
  end if;
  loop
    insert into app.product_slugs (slug, product_id, writer_id) values (candidate, p_product.id, p_product.writer_id)
      on conflict do nothing;
    if found then
      return candidate;
    end if;
    copy := copy + 1;
    candidate := p_slug || '-' || case when copy <= 20 then copy::text else left(gen_random_uuid()::text, 8) end;
  end loop;
end
$$;

create function app.copy_product(p_product app.products, p_slug text, p_first_at timestamptz, p_name_folded text,
                                 p_search_text text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  shown uuid[];
begin
  insert into pub.products (id, author_id, slug, name, summary, description, price, currency, category, image, image_alt,
                            image_width, image_height, payment_url, related, position, listed_at, updated_at,
                            name_folded, search_text)
  select p_product.id, p_product.writer_id, p_slug, p_product.name, p_product.summary, p_product.description,
         p_product.price, p_product.currency, p_product.category, m.hash, p_product.image_alt, m.width, m.height,
         p_product.payment_url,
         array(select r.id from unnest(p_product.related) with ordinality r(id, place)
                 join pub.pieces p on p.id = r.id and p.author_id = p_product.writer_id order by r.place),
         p_product.position, p_first_at, date_trunc('milliseconds', clock_timestamp()), p_name_folded, p_search_text
    from (values (1)) one left join app.media m on m.hash = p_product.image and m.writer_id = p_product.writer_id
  on conflict (id) do update set
    name = excluded.name, summary = excluded.summary, description = excluded.description, price = excluded.price,
    currency = excluded.currency, category = excluded.category, image = excluded.image, image_alt = excluded.image_alt,
    image_width = excluded.image_width, image_height = excluded.image_height, payment_url = excluded.payment_url,
    related = excluded.related, updated_at = excluded.updated_at, name_folded = excluded.name_folded,
    search_text = excluded.search_text
  returning related into shown;
  update app.products set listed_related = shown where id = p_product.id;
end
$$;

create function app.desk_list_product(p_product uuid, p_session_hash bytea, p_revision integer, p_slug text,
                                      p_name_folded text, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own      record := app.own_product(p_product, p_session_hash);
  product  app.products := own.product;
  first_at timestamptz := coalesce(product.first_listed_at, date_trunc('milliseconds', clock_timestamp()));
  address  text;
begin
  perform app.demand_product(product, 'draft', p_revision);
  if product.withheld is not null then
    raise exception 'The house took this listing out of its shop: %. Write to the house if you think that is wrong.',
      rtrim(product.withheld, '.') using errcode = 'SF409';
  end if;
  address := coalesce(product.slug, app.keep_product_slug(product, p_slug));
  update app.products set status = 'listed', slug = address, first_listed_at = first_at, listed_revision = product.revision
   where id = product.id;
  perform app.show_author(product.writer_id);
  perform app.copy_product(product, address, first_at, p_name_folded, p_search_text);
  perform app.trail_product(product, own.session, 'list', 'listed');
end
$$;

create function app.desk_update_product(p_product uuid, p_session_hash bytea, p_revision integer, p_name_folded text,
                                        p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own     record := app.own_product(p_product, p_session_hash);
  product app.products := own.product;
begin
  perform app.demand_product(product, 'listed', p_revision);
  update app.products set listed_revision = product.revision where id = product.id;
  perform app.copy_product(product, product.slug, product.first_listed_at, p_name_folded, p_search_text);
  perform app.trail_product(product, own.session, 'update', 'listed');
end
$$;

create function app.desk_withdraw_product(p_product uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own     record := app.own_product(p_product, p_session_hash);
  product app.products := own.product;
begin
  perform app.demand_product(product, 'listed', product.revision);
  delete from pub.products where id = product.id;
  update app.products set status = 'draft', listed_revision = null where id = product.id;
  perform app.trail_product(product, own.session, 'withdraw', 'draft');
end
$$;

-- By whoever runs the house, with a reason that the writer reads; without one it may be listed again, by its writer.
-- Also of a listing that is not public at the moment. Answers what to purge; no row where no listing has the address.
create function app.withhold_product(p_slug text, p_reason text) returns table (product_id uuid, seller text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  product app.products;
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.slug = p_slug;
  select p.* into product from app.products p where p.slug = p_slug for update;
  if product.id is null then
    return;
  end if;
  if product.withheld is distinct from p_reason then
    delete from pub.products where id = product.id;
    update app.products set status = 'draft', listed_revision = null, withheld = p_reason where id = product.id;
    perform app.trail_product(product, null, case when p_reason is null then 'allow' else 'withhold' end, 'draft', p_reason);
  end if;
  return query select product.id, w.slug from app.writers w where w.id = product.writer_id;
end
$$;

-- All of a writer's listings in their order, public ones in public too.
create function app.desk_order_products(p_session_hash bytea, p_products uuid[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer  uuid;
  session app.sessions;
begin
  select w.id into writer
    from app.writers w join app.sessions s on s.account_id = w.account_id where s.token_hash = p_session_hash;
  perform app.lock_writer(writer);
  session := app.signed_in(p_session_hash);
  if array(select p.id from app.products p where p.writer_id = writer order by p.id)
     is distinct from array(select p.id from unnest(p_products) p(id) order by p.id) then
    raise exception 'These are not all of your listings, each of them once. Look at your shop once more, then order it.'
      using errcode = 'SF400';
  end if;
  update app.products p set position = o.place
    from unnest(p_products) with ordinality o(id, place) where p.id = o.id and p.position <> o.place;
  update pub.products p set position = o.place
    from unnest(p_products) with ordinality o(id, place) where p.id = o.id and p.position <> o.place;
end
$$;

-- As in 0017, with their shop.
create or replace function app.hide_author(p_writer uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  delete from pub.products where author_id = p_writer;
  delete from app.products where writer_id = p_writer;
  update app.product_audit set note = null where writer_id = p_writer and note is not null;
  delete from pub.former_slugs where author_id = p_writer;
  delete from pub.authors where id = p_writer;
  update app.writer_audit set note = null where writer_id = p_writer and note is not null;
  insert into app.writer_audit (act, writer_id) values ('leave', p_writer);
end
$$;

revoke all on function app.own_product(uuid, bytea), app.demand_product(app.products, text, integer),
  app.trail_product(app.products, app.sessions, text, text, text), app.keep_product_slug(app.products, text),
  app.copy_product(app.products, text, timestamptz, text, text),
  app.desk_list_product(uuid, bytea, integer, text, text, text), app.desk_update_product(uuid, bytea, integer, text, text),
  app.desk_withdraw_product(uuid, bytea), app.withhold_product(text, text), app.desk_order_products(bytea, uuid[])
  from public;
grant execute on function
  app.desk_list_product(uuid, bytea, integer, text, text, text), app.desk_update_product(uuid, bytea, integer, text, text),
  app.desk_withdraw_product(uuid, bytea), app.desk_order_products(bytea, uuid[]) to svc_desk;
grant execute on function app.withhold_product(text, text) to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;
