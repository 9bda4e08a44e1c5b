-- Receipts: what the house vouches for when a piece becomes public, and since when it vouches for its writers.
--
-- A receipt is the public side of a row of the trail: the database writes what it says, in the transaction of Publish,
-- Update or Approve, and a publication whose receipt is not signed does not commit. The signer adds the hash of what
-- readers get and its signature, and can change nothing else. It says that a person did it and in which role, never who.
-- Each names the hash of the one before, also across an Unpublish; what leaves the public wing takes its receipt along.
-- Keys that have signed stay here, their public halves: a receipt is verified with the key of its day.
--
-- Lock: ACCESS EXCLUSIVE on app.pieces, app.audit, pub.pieces and pub.authors for an instant, SHARE on app.past_revisions
-- and pub.authors while their indexes are built.

set local role svc_owner;

-- How many receipts a piece has had, and the hash of the last.
alter table app.pieces
  add column receipts     integer not null default 0,
  add column receipt_hash bytea   check (octet_length(receipt_hash) = 32);

create index past_revisions_by_key on app.past_revisions (piece_id, revision) where key_id is not null;

create table pub.receipts (
  piece_id  uuid  primary key,
  author_id uuid  not null,
  receipt   jsonb not null check (receipt ->> 'content' ~ '^[0-9a-f]{64}$'),
  -- Null until the transaction that orders it ends.
  key_id    text,
  signature bytea check (octet_length(signature) = 64)
);

create table pub.receipt_keys (
  id         text        primary key check (char_length(id) = 43),
  public_key bytea       not null check (octet_length(public_key) = 32),
  since      timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);

-- For the page that shows the evidence: whose, and since when.
alter table pub.authors add column identity_verified_at timestamptz;
create index authors_with_evidence on pub.authors (slug) where identity_verified or website_verified;

create function app.date_identity() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.identity_verified_at := case when new.identity_verified
    then (select w.identity_verified_at from app.writers w where w.id = new.id) end;
  return new;
end
$$;

create trigger date_identity before insert or update on pub.authors
  for each row execute function app.date_identity();
alter table pub.authors enable always trigger date_identity;

do $$
declare
  name text;
begin
  foreach name in array array['receipts', 'receipt_keys'] loop
    execute format('create trigger guard_public before insert or update or delete or truncate on pub.%I
                    for each statement execute function app.guard_public()', name);
    execute format('alter table pub.%I enable always trigger guard_public', name);
  end loop;
end
$$;

grant select on pub.receipts, pub.receipt_keys to svc_public;
grant select, insert, update, delete on pub.receipts to svc_publisher;
grant select, insert on pub.receipt_keys to svc_publisher;
grant create on schema app to svc_publisher;

set local role svc_publisher;

update pub.authors set identity_verified = true where identity_verified;

-- As JavaScript writes it.
create function app.iso_time(p_time timestamptz) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create function app.order_receipt() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  chain app.pieces;
begin
  update app.pieces set receipts = receipts + 1 where id = new.piece_id returning * into chain;
  insert into pub.receipts as known (piece_id, author_id, receipt)
  select shown.id, shown.author_id, jsonb_build_object(
           'version', 1,
           'number', chain.receipts,
           'previous', encode(chain.receipt_hash, 'hex'),
           'piece', shown.id,
           'author', jsonb_build_object('id', author.id, 'slug', author.slug),
           'act', new.act,
           'by', 'person',
           'role', case new.act when 'approve' then 'moderator' else 'writer' end,
           'revision', new.revision,
           'revisions_by_key', array(
              select r.revision from app.past_revisions r
               where r.piece_id = shown.id and r.key_id is not null and r.revision < new.revision
              union all
              select new.revision where chain.saved_by_key is not null
              order by 1),
           'first_published', app.iso_time(shown.published_at),
           'published', app.iso_time(shown.modified_at))
    from pub.pieces shown join pub.authors author on author.id = shown.author_id
   where shown.id = new.piece_id
  on conflict (piece_id) do update set receipt = excluded.receipt, key_id = null, signature = null;
  return null;
end
$$;

-- What publishing must have signed, in the transaction that ordered it.
create function app.receipt_to_sign(p_piece uuid) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select r.receipt from pub.receipts r where r.piece_id = p_piece and r.signature is null $$;

-- `p_hash` is of the whole receipt: what the next one calls the one before.
create function app.sign_receipt(p_piece uuid, p_content text, p_hash bytea, p_key_id text, p_public_key bytea,
                                 p_signature bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update pub.receipts r set
    receipt = r.receipt || jsonb_build_object('content', p_content), key_id = p_key_id, signature = p_signature
   where r.piece_id = p_piece and r.signature is null;
  if not found then
    raise exception 'there is no receipt to sign' using errcode = 'SF409';
  end if;
  update app.pieces set receipt_hash = p_hash where id = p_piece;
  if not exists (select from pub.receipt_keys k where k.id = p_key_id) then
    insert into pub.receipt_keys (id, public_key) values (p_key_id, p_public_key) on conflict (id) do nothing;
  end if;
end
$$;

create function app.guard_receipt() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from pub.receipts r
              where r.piece_id = new.piece_id and (r.signature is null or r.key_id is null or not r.receipt ? 'content')) then
    raise exception 'a receipt was ordered and not signed' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create function app.withdraw_receipts() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.receipts r where r.piece_id in (select g.id from gone g);
  return null;
end
$$;

revoke all on function app.iso_time(timestamptz), app.order_receipt(), app.receipt_to_sign(uuid),
  app.sign_receipt(uuid, text, bytea, text, bytea, bytea), app.guard_receipt(), app.withdraw_receipts()
  from public;
grant execute on function app.receipt_to_sign(uuid), app.sign_receipt(uuid, text, bytea, text, bytea, bytea) to svc_desk;
-- To hang them on its tables.
grant execute on function app.order_receipt(), app.guard_receipt(), app.withdraw_receipts() to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;
revoke all on function app.date_identity() from public;

-- Without a session it is the house itself, filling its tables: that vouches for nothing.
create trigger order_receipt after insert on app.audit
  for each row when (new.session_id is not null and new.act in ('publish', 'update', 'approve'))
  execute function app.order_receipt();
alter table app.audit enable always trigger order_receipt;
create constraint trigger guard_receipt after insert or update on pub.receipts deferrable initially deferred
  for each row execute function app.guard_receipt();
alter table pub.receipts enable always trigger guard_receipt;
create trigger withdraw_receipts after delete on pub.pieces referencing old table as gone
  for each statement execute function app.withdraw_receipts();
alter table pub.pieces enable always trigger withdraw_receipts;
