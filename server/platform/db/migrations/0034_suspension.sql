-- Suspension: a moderator hides everything of a writer in one act, and brings it back in one act.
--
-- What the public schema has of the writer moves, row by row as it is, to app.suspended_rows; nothing public reads it, so
-- no public query knows of suspensions and none of them is slower. Restoring moves the same rows back: addresses, dates
-- and receipts are what they were, and nobody is told anew, since deliveries are ordered by the status of a piece, which
-- does not change. What its writer withdraws meanwhile is not brought back.
-- A row is kept as jsonb, by the names of its columns: one that a later migration adds to a public table has its default.
-- While it lasts the writer signs in, reads, exports and deletes; they write, list and publish nothing.
-- Errors: SF400 no reason, SF401 no live session, SF403 no moderator, or nobody a moderator suspends, SF404 no such
-- writer, SF409 suspended already, or not suspended, SF4SU a suspended writer.
--
-- Lock: ACCESS EXCLUSIVE on app.writer_audit, SHARE ROW EXCLUSIVE on app.pieces, app.products, app.audit,
-- app.product_audit and pub.authors for an instant.

set local role svc_owner;

create table app.suspensions (
  writer_id uuid        primary key references app.writers on delete cascade,
  at        timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- The writer reads it.
  reason    text        not null check (char_length(reason) between 1 and 2000)
);

-- Goes with its suspension, by a trigger: a foreign key would be checked 8,000 times for a writer of 2,000 pieces.
create table app.suspended_rows (
  writer_id uuid  not null,
  -- Of the piece, the listing or the author.
  id        uuid  not null,
  was_in    text  not null check (was_in in ('authors', 'pieces', 'piece_contents', 'piece_texts', 'receipts', 'products')),
  kept      jsonb not null,
  primary key (writer_id, id, was_in)
);
do $$
begin
  alter table app.suspended_rows alter column kept set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

alter table app.writer_audit drop constraint writer_audit_act_check;
alter table app.writer_audit add constraint writer_audit_act_check
  check (act in ('rename', 'new_name', 'verify_identity', 'withdraw_identity', 'prove_website', 'lose_website', 'leave',
                 'key_leaked', 'suspend', 'restore'));

grant select, insert, delete on app.suspensions to svc_publisher;
grant select, insert on app.suspended_rows to svc_publisher;

-- ---------------------------------------------------------------------------------------------- what is refused

create function app.refuse_suspended() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.suspensions s where s.writer_id = new.writer_id) then
    return new;
  end if;
  if tg_table_name = 'audit' and to_jsonb(new) ->> 'act' = 'approve' then
    raise exception 'The writer of this piece is suspended. Restore them under Writers first, then approve it.'
      using errcode = 'SF409';
  end if;
  raise exception 'You are suspended on this site, so you cannot write or publish. The reason is on your account page; write to the site if it is a mistake. You can still export your work.'
    using errcode = 'SF4SU';
end
$$;

-- The revision is counted by guard_status and guard_product, which come first by their names.
create trigger refuse_suspended_insert before insert on app.pieces
  for each row execute function app.refuse_suspended();
create trigger refuse_suspended_update before update on app.pieces
  for each row when (new.revision > old.revision) execute function app.refuse_suspended();
create trigger refuse_suspended before insert on app.audit
  for each row when (new.act in ('publish', 'update', 'submit', 'resubmit', 'approve'))
  execute function app.refuse_suspended();
create trigger refuse_suspended_insert before insert on app.products
  for each row execute function app.refuse_suspended();
create trigger refuse_suspended_update before update on app.products
  for each row when (new.revision > old.revision) execute function app.refuse_suspended();
create trigger refuse_suspended before insert on app.product_audit
  for each row when (new.act in ('list', 'update')) execute function app.refuse_suspended();

-- Whatever else would show them: an operator's command, or a function that is yet to be written. Deferred, so that the
-- refusals above speak first.
create function app.refuse_suspended_author() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.suspensions s where s.writer_id = new.id) then
    raise exception 'This writer is suspended. Restore them first.' using errcode = 'SF409';
  end if;
  return null;
end
$$;
create constraint trigger refuse_suspended after insert on pub.authors deferrable initially deferred
  for each row execute function app.refuse_suspended_author();

-- What its writer took back, or an operator took out, is not brought back.
create function app.forget_suspended_row() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.suspended_rows k where k.writer_id = old.writer_id and k.id = old.id;
  return null;
end
$$;
create function app.forget_suspended_rows() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.suspended_rows k where k.writer_id = old.writer_id;
  return null;
end
$$;
create trigger forget_suspended_rows after delete on app.suspensions
  for each row execute function app.forget_suspended_rows();
create trigger forget_suspended_row after update of editor_status on app.pieces
  for each row when (old.editor_status = 'approved' and new.editor_status <> 'approved')
  execute function app.forget_suspended_row();
create trigger forget_suspended_row_deleted after delete on app.pieces
  for each row when (old.editor_status = 'approved') execute function app.forget_suspended_row();
create trigger forget_suspended_row after update of status on app.products
  for each row when (old.status = 'listed' and new.status <> 'listed') execute function app.forget_suspended_row();
create trigger forget_suspended_row_deleted after delete on app.products
  for each row when (old.status = 'listed') execute function app.forget_suspended_row();

do $$
declare
  t record;
begin
  for t in select tgrelid::regclass as on_table, tgname from pg_trigger
            where tgname like 'refuse\_suspended%' or tgname like 'forget\_suspended%' loop
    execute format('alter table %s enable always trigger %I', t.on_table, t.tgname);
  end loop;
end
$$;

-- ---------------------------------------------------------------------------------------------- the acts

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Everything public of a writer, in one statement for each table. Answers with the account to write to and the addresses
-- that caches know. Without a session it is the operator.
create function app.suspend_writer(p_writer uuid, p_session app.sessions, p_reason text)
  returns table (account_id uuid, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(p_reason, '') = '' then
    raise exception 'Say why. The writer reads it.' using errcode = 'SF400';
  end if;
  perform app.lock_writer(p_writer);
  insert into app.suspensions (writer_id, reason) values (p_writer, p_reason) on conflict do nothing;
  if not found then
    raise exception 'This writer is suspended already.' using errcode = 'SF409';
  end if;

  -- Their deletion takes them along: pieces their receipts.
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, r.piece_id, 'receipts', to_jsonb(r) from pub.receipts r join pub.pieces p on p.id = r.piece_id
   where p.author_id = p_writer;
  with gone as (delete from pub.piece_contents c using pub.pieces p
                 where p.author_id = p_writer and c.piece_id = p.id returning c.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.piece_id, 'piece_contents', to_jsonb(g) from gone g;
  with gone as (delete from pub.piece_texts t using pub.pieces p
                 where p.author_id = p_writer and t.piece_id = p.id returning t.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.piece_id, 'piece_texts', to_jsonb(g) from gone g;
  with gone as (delete from pub.pieces p where p.author_id = p_writer returning p.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.id, 'pieces', to_jsonb(g) from gone g;
  with gone as (delete from pub.products p where p.author_id = p_writer returning p.*)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.id, 'products', to_jsonb(g) from gone g;
  delete from pub.former_slugs f where f.author_id = p_writer;
  with gone as (delete from pub.authors a where a.id = p_writer returning a.id)
  insert into app.suspended_rows (writer_id, id, was_in, kept)
  select p_writer, g.id, 'authors', '{}' from gone g;

  insert into app.writer_audit (act, writer_id, account_id, session_id, note)
  values ('suspend', p_writer, p_session.account_id, p_session.id, p_reason);
  return query select * from app.told_of_suspension(p_writer);
end
$$;

-- The profile is made anew of what the writer set, as with every change of it.
create function app.restore_writer(p_writer uuid, p_session app.sessions, p_reason text)
  returns table (account_id uuid, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  if not exists (select from app.suspensions s where s.writer_id = p_writer) then
    raise exception 'This writer is not suspended.' using errcode = 'SF409';
  end if;
  if exists (select from app.suspended_rows k where k.writer_id = p_writer and k.was_in = 'authors') then
    perform app.show_author(p_writer);
  end if;
  insert into pub.pieces
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.pieces, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'pieces';
  insert into pub.piece_contents
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.piece_contents, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'piece_contents';
  insert into pub.piece_texts
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.piece_texts, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'piece_texts';
  insert into pub.receipts
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.receipts, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'receipts';
  insert into pub.products
  select r.* from app.suspended_rows k, jsonb_populate_record(null::pub.products, k.kept) r
   where k.writer_id = p_writer and k.was_in = 'products';
  delete from app.suspensions s where s.writer_id = p_writer;
  update pub.authors a set
    (pieces_count, last_published_at) = (select count(*), max(p.published_at) from pub.pieces p where p.author_id = a.id)
   where a.id = p_writer;

  insert into app.writer_audit (act, writer_id, account_id, session_id, note)
  values ('restore', p_writer, p_session.account_id, p_session.id, p_reason);
  return query select * from app.told_of_suspension(p_writer);
end
$$;

create function app.told_of_suspension(p_writer uuid) returns table (account_id uuid, slugs text[])
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select w.account_id, array[w.slug] || array(select f.slug from app.former_slugs f where f.writer_id = w.id)
      from app.writers w where w.id = p_writer
  $$;

-- The session of a moderator, and the writer they act on: somebody else, who does not moderate.
create function app.desk_suspend(p_session_hash bytea, p_slug text, p_reason text, p_restores boolean)
  returns table (account_id uuid, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  writer  app.writers;
begin
  if not app.moderates(session) then
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  select w.* into writer from app.writers w where w.slug = p_slug;
  if not found then
    raise exception 'No writer has this address. Search for them again.' using errcode = 'SF404';
  end if;
  if exists (select from app.accounts a where a.id = writer.account_id and a.role <> 'writer') then
    raise exception 'This person moderates the site. The operator can suspend them, from the command line.'
      using errcode = 'SF403';
  end if;
  if p_restores then
    return query select * from app.restore_writer(writer.id, session, p_reason);
  else
    return query select * from app.suspend_writer(writer.id, session, p_reason);
  end if;
end
$$;

-- As in 0014: the links of a suspended writer rest too. A moderator reads what waits before them all the same.
create or replace function app.live_preview(p_token_hash bytea) returns app.previews
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews;
begin
  select v.* into live
    from app.previews v join app.accounts a on a.id = v.account_id
         join app.pieces p on p.id = v.piece_id join app.writers w on w.id = p.writer_id
   where v.token_hash = p_token_hash and v.expires_at > clock_timestamp() and a.disabled_at is null
     and (w.account_id = v.account_id or p.editor_status = 'pending' and a.role in ('moderator', 'operator'))
     and (v.revision is not null or p.editor_status <> 'rejected' and not app.is_taken_down(p.id))
     and (w.account_id is distinct from v.account_id
          or not exists (select from app.suspensions s where s.writer_id = w.id));
  return live;
end
$$;

revoke all on function app.suspend_writer(uuid, app.sessions, text), app.restore_writer(uuid, app.sessions, text),
  app.told_of_suspension(uuid), app.desk_suspend(bytea, text, text, boolean) from public;
grant execute on function app.suspend_writer(uuid, app.sessions, text), app.restore_writer(uuid, app.sessions, text)
  to svc_owner;
grant execute on function app.desk_suspend(bytea, text, text, boolean) to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;

-- ---------------------------------------------------------------------------------------------- who is told what

-- For the account's own page; no row for whom it is not.
create function app.suspension_of(p_session_hash bytea) returns table (at timestamptz, reason text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select s.at, s.reason from app.suspensions s join app.writers w on w.id = s.writer_id
     where w.account_id = (app.signed_in(p_session_hash)).account_id
  $$;

-- For the email that quotes the reason; no row where it ended meanwhile.
create function app.suspension_to_tell(p_account uuid) returns table (email text, at timestamptz, reason text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.email, s.at, s.reason
      from app.suspensions s join app.writers w on w.id = s.writer_id join app.accounts a on a.id = w.account_id
     where a.id = p_account and a.disabled_at is null
  $$;

-- As in 0016, with who is suspended, and why: they come first, since they wait for another decision.
drop function app.writers_for_review(bytea, text, integer);
create function app.writers_for_review(p_session_hash bytea, p_like text, p_limit integer)
  returns table (slug text, name text, identity_verified boolean, website_verified boolean, pieces_count integer,
                 moderates boolean, suspended_at timestamptz, suspended_for text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select w.slug, w.name, w.identity_verified_at is not null, w.website_verified_at is not null,
           coalesce(a.pieces_count, 0), coalesce(c.role <> 'writer', false), s.at, s.reason
      from app.writers w left join pub.authors a on a.id = w.id left join app.suspensions s on s.writer_id = w.id
           left join app.accounts c on c.id = w.account_id
     where p_like is null or w.name ilike p_like or w.slug ilike p_like
     order by s.at desc nulls last, coalesce(a.pieces_count, 0) desc, w.joined_at desc, w.slug
     limit p_limit;
end
$$;

-- As in 0016, with suspensions.
create or replace function app.deeds_for_review(p_session_hash bytea, p_before timestamptz, p_before_id bigint, p_limit integer)
  returns table (id bigint, at timestamptz, act text, moderator text, piece_id uuid, headline text, writer_slug text,
                 writer_name text, note text, is_public boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, m.name, d.piece_id,
           coalesce(p.headline, case when d.piece_id is not null then app.headline_readers_had(d.piece_id, d.id / 2) end),
           w.slug, w.name, d.note, p.id is not null
      from ((select t.id * 2 as id, t.at, t.act, t.account_id, t.piece_id, t.writer_id, t.note from app.audit t
              where t.act in ('approve', 'request_changes', 'reject', 'take_down', 'dismiss_reports')
                and (t.at, t.id * 2) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)
            union all
            (select t.id * 2 + 1, t.at, t.act, t.account_id, null, t.writer_id, t.note from app.writer_audit t
              where t.act in ('verify_identity', 'withdraw_identity', 'suspend', 'restore')
                and (t.at, t.id * 2 + 1) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)) d
      left join app.accounts m on m.id = d.account_id
      left join app.writers w on w.id = d.writer_id
      left join pub.pieces p on p.id = d.piece_id
     order by d.at desc, d.id desc
     limit p_limit;
end
$$;

revoke all on function app.refuse_suspended(), app.refuse_suspended_author(), app.forget_suspended_row(),
  app.forget_suspended_rows(),
  app.suspension_of(bytea), app.suspension_to_tell(uuid), app.writers_for_review(bytea, text, integer) from public;
grant execute on function app.suspension_of(bytea), app.writers_for_review(bytea, text, integer) to svc_desk;
grant execute on function app.suspension_to_tell(uuid) to svc_worker;
