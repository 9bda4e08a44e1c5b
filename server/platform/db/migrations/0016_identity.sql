-- Identity: moderators say who somebody is, and see what moderators did.
--
-- A writer's identity is verified by a moderator who is somebody else, audited, and shown in public at once.
-- Errors: SF401 no live session, SF403 no moderator or the writer themselves, SF404 no such writer or piece, SF412 the
-- name has changed since it was looked at, SF4PK a passkey that is known, SF4LW the last way in.
--
-- Lock: SHARE on app.audit while its index is built.

set local role svc_owner;

-- The acts of moderators, newest first.
create index audit_of_moderators on app.audit (at, id)
  where act in ('approve', 'request_changes', 'reject', 'take_down', 'dismiss_reports');

-- By a part of the name or address; those who have most to lose first.
create function app.writers_for_review(p_session_hash bytea, p_like text, p_limit integer)
  returns table (slug text, name text, identity_verified boolean, website_verified boolean, pieces_count integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select w.slug, w.name, w.identity_verified_at is not null, w.website_verified_at is not null,
           coalesce(a.pieces_count, 0)
      from app.writers w left join pub.authors a on a.id = w.id
     where p_like is null or w.name ilike p_like or w.slug ilike p_like
     order by coalesce(a.pieces_count, 0) desc, w.joined_at desc, w.slug
     limit p_limit;
end
$$;

-- What moderators did, newest first, before the place that is given; nothing of it to whom it was done. The headline is
-- what is public now, or what readers had then; what they never had is its writer's.
create function app.deeds_for_review(p_session_hash bytea, p_before timestamptz, p_before_id bigint, p_limit integer)
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
              where t.act in ('verify_identity', 'withdraw_identity')
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

revoke all on function app.writers_for_review(bytea, text, integer),
  app.deeds_for_review(bytea, timestamptz, bigint, integer) from public;
grant execute on function app.writers_for_review(bytea, text, integer),
  app.deeds_for_review(bytea, timestamptz, bigint, integer) to svc_desk;

-- What was said of a piece and how it was then, for the functions below.
grant select on app.audit, app.past_revisions to svc_publisher;
create policy publisher_reads on app.audit for select to svc_publisher using (true);
create policy publisher_reads on app.past_revisions for select to svc_publisher using (true);

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- The headline readers last had of a piece before that place in the trail; null where they never had it. Not the
-- owner's: row security keeps the working copy from it.
create function app.headline_readers_had(p_piece uuid, p_audit bigint) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(r.headline, p.headline)
      from (select t.revision from app.audit t
             where t.piece_id = p_piece and t.id <= p_audit and t.to_status = 'approved' and t.act <> 'dismiss_reports'
             order by t.id desc limit 1) shown
      left join app.past_revisions r on r.piece_id = p_piece and r.revision = shown.revision
      left join app.pieces p on p.id = p_piece and p.revision = shown.revision
  $$;
revoke all on function app.headline_readers_had(uuid, bigint) from public;
grant execute on function app.headline_readers_had(uuid, bigint) to svc_owner;

-- What moderators last had before them of a piece that waits, so that they need to read only what is new. Taken down
-- was what readers had, whatever its writer had changed since. No row where nobody has read it yet.
create function app.review_before(p_piece uuid, p_session_hash bytea)
  returns table (revision integer, headline text, sub text, body_md text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
  last  app.audit;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.editor_status = 'pending';
  perform app.moderator_session(piece, p_session_hash);
  select t.* into last from app.audit t
   where t.piece_id = p_piece and t.act in ('approve', 'request_changes', 'reject', 'take_down')
   order by t.id desc limit 1;
  if last.act = 'take_down' then
    select t.* into last from app.audit t
     where t.piece_id = p_piece and t.to_status = 'approved' and t.act <> 'dismiss_reports' and t.id < last.id
     order by t.id desc limit 1;
  end if;
  return query
    select r.revision, r.headline, r.sub, r.body_md from app.past_revisions r
     where r.piece_id = p_piece and r.revision = last.revision
    union all
    select piece.revision, piece.headline, piece.sub, piece.body_md where piece.revision = last.revision;
end
$$;

-- Answers with the account to write to, and nothing where it was so already. `p_name` is the name that was looked at.
create function app.desk_set_identity(p_session_hash bytea, p_slug text, p_name text, p_verified boolean, p_note text)
  returns table (account_id uuid, changed boolean)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  writer  app.writers;
begin
  perform app.lock_writer(w.id) from app.writers w where w.slug = p_slug;
  session := app.signed_in(p_session_hash);
  if not app.moderates(session) then
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  select w.* into writer from app.writers w where w.slug = p_slug;
  if not found then
    raise exception 'No writer has this address. Search for them again.' using errcode = 'SF404';
  end if;
  if writer.account_id = session.account_id then
    raise exception 'Nobody verifies themselves. Another moderator has to.' using errcode = 'SF403';
  end if;
  if writer.name is distinct from coalesce(p_name, writer.name) then
    raise exception 'They have changed their name since you looked. Look once more, then decide.' using errcode = 'SF412';
  end if;
  if (writer.identity_verified_at is not null) = p_verified then
    return query select writer.account_id, false;
    return;
  end if;
  update app.writers w set identity_verified_at = case when p_verified then clock_timestamp() end where w.id = writer.id;
  insert into app.writer_audit (act, writer_id, account_id, session_id, note)
  values (case when p_verified then 'verify_identity' else 'withdraw_identity' end, writer.id, session.account_id,
          session.id, p_note);
  perform app.show_if_public(writer.id);
  return query select writer.account_id, true;
end
$$;

revoke all on function app.review_before(uuid, bytea), app.desk_set_identity(bytea, text, text, boolean, text) from public;
grant execute on function app.review_before(uuid, bytea), app.desk_set_identity(bytea, text, text, boolean, text)
  to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;
