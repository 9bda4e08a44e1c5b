-- The life of a piece: every move is a signed-in person's act, and one function.
--
--   draft              publish, submit        by its writer
--   pending            withdraw               by its writer
--                      approve, request changes, reject   by a moderator who is not its writer
--   changes_requested  resubmit, withdraw     by its writer
--   rejected           revise                 by its writer; from then on review is required
--   approved           update, unpublish      by its writer
--                      take down              by a moderator; from then on review is required
--
-- features/pieces/states.ts is the same table; a test walks both. Publish, Update and Approve also demand the one-time
-- nonce of the revision shown, and only they write public text.
-- Errors as in 0006, with sentences for people.
--
-- Lock: none that matters.

set local role svc_owner;
grant create on schema app to svc_publisher;
-- Nonces are made by a function that knows the session.
revoke insert, select on app.publish_nonces from svc_desk;
grant insert (nonce_hash, piece_id, revision, session_id, expires_at), delete on app.publish_nonces to svc_publisher;
create index pieces_waiting on app.pieces (updated_at, id) where editor_status = 'pending';
-- The trail of one's own pieces, or of what one moderates.
alter table app.audit enable row level security;
create policy desk_reads_own on app.audit for select to svc_desk
  using (writer_id = (select app.session_writer()) or (select app.session_moderates()));
create policy publisher_adds on app.audit for insert to svc_publisher with check (true);

set local role svc_publisher;

create or replace function app.own_piece(p_piece uuid, p_session app.sessions) returns app.pieces
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_piece app.pieces;
begin
  select p.* into found_piece
    from app.pieces p join app.writers w on w.id = p.writer_id
   where p.id = p_piece and w.account_id = p_session.account_id
     for update of p;
  if not found then
    raise exception 'You have no such piece.' using errcode = 'SF404';
  end if;
  perform app.lock_writer(found_piece.writer_id);
  return found_piece;
end
$$;

-- The piece, locked, if this session is a moderator's and the piece is somebody else's.
create function app.reviewed_piece(p_piece uuid, p_session app.sessions) returns app.pieces
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_piece app.pieces;
begin
  if not exists (select from app.accounts a where a.id = p_session.account_id and a.role in ('moderator', 'operator')) then
    raise exception 'Only moderators review.' using errcode = 'SF403';
  end if;
  select p.* into found_piece from app.pieces p where p.id = p_piece for update of p;
  if not found then
    raise exception 'There is no such piece to review.' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = found_piece.writer_id and w.account_id = p_session.account_id) then
    raise exception 'Nobody reviews their own piece. Another moderator has to.' using errcode = 'SF403';
  end if;
  perform app.lock_writer(found_piece.writer_id);
  return found_piece;
end
$$;

create function app.demand_status(p_piece app.pieces, p_act text, p_from text[]) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_piece.editor_status <> all (p_from) then
    raise exception '%', format('A piece that is %s cannot be %s.',
      replace(p_piece.editor_status, 'changes_requested', 'waiting for changes'), p_act) using errcode = 'SF409';
  end if;
end
$$;

create function app.use_nonce(p_piece app.pieces, p_session app.sessions, p_nonce text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.publish_nonces set used_at = clock_timestamp()
   where nonce_hash = sha256(convert_to(p_nonce, 'UTF8')) and piece_id = p_piece.id and revision = p_piece.revision
     and session_id = p_session.id and used_at is null and expires_at > clock_timestamp();
  if not found then
    raise exception 'The piece has changed since it was shown. Look at it once more, then publish.' using errcode = 'SF412';
  end if;
end
$$;

-- Every move ends here: the new status, and a row of the trail.
create function app.move_piece(p_piece app.pieces, p_session app.sessions, p_act text, p_to text, p_note text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.pieces set editor_status = p_to where id = p_piece.id and editor_status <> p_to;
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  values (p_act, p_piece.id, p_piece.writer_id, p_session.account_id, p_session.id, p_piece.revision,
          p_piece.editor_status, p_to, p_note);
end
$$;

-- Into the public wing, for the first time or again: then with the slug and the date it had.
create function app.show_piece(p_piece app.pieces, p_rendering app.rendering) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  public_at  timestamptz := date_trunc('milliseconds', clock_timestamp());
  first_at   timestamptz := coalesce(p_piece.first_published_at, public_at);
  piece_slug text := coalesce(p_piece.slug, app.free_piece_slug(p_piece.writer_id, p_rendering.slug));
begin
  update app.pieces set editor_status = 'approved', slug = piece_slug, first_published_at = first_at
   where id = p_piece.id;

  perform app.show_author(p_piece.writer_id);

  insert into pub.pieces (id, author_id, slug, headline, sub, summary, category, tags, kind, locale, external_url,
                          published_at, modified_at, headline_folded, sub_folded, head_keys, body_keys)
  values (p_piece.id, p_piece.writer_id, piece_slug, p_piece.headline, p_piece.sub, p_rendering.summary,
          p_piece.category, p_piece.tags, p_piece.style, p_piece.locale, p_piece.fields ->> 'external_url', first_at,
          public_at, p_rendering.headline_folded, p_rendering.sub_folded, p_rendering.head_keys, p_rendering.body_keys);
  insert into pub.piece_contents (piece_id, author_id, html, text)
  values (p_piece.id, p_piece.writer_id, p_rendering.html, p_rendering.text);
  insert into pub.piece_texts (piece_id, author_id, category, published_at, body)
  values (p_piece.id, p_piece.writer_id, p_piece.category, first_at, p_rendering.body_folded);

  update pub.authors set pieces_count = pieces_count + 1,
                         last_published_at = greatest(last_published_at, first_at)
   where id = p_piece.writer_id;
end
$$;

create function app.hide_piece(p_piece app.pieces) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.piece_contents where piece_id = p_piece.id;
  delete from pub.piece_texts where piece_id = p_piece.id;
  delete from pub.pieces where id = p_piece.id;
  update pub.authors set pieces_count = pieces_count - 1,
                         last_published_at = (select max(published_at) from pub.pieces where author_id = p_piece.writer_id)
   where id = p_piece.writer_id;
end
$$;

-- For the revision a person is shown: theirs, or one put before them as a moderator. Ten minutes to decide.
create function app.make_nonce(p_piece uuid, p_token text, p_revision integer, p_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_token);
begin
  delete from app.publish_nonces where piece_id = p_piece and session_id = session.id and expires_at < clock_timestamp();
  insert into app.publish_nonces (nonce_hash, piece_id, revision, session_id, expires_at)
  select p_hash, p.id, p_revision, session.id, clock_timestamp() + interval '10 minutes'
    from app.pieces p join app.writers w on w.id = p.writer_id
   where p.id = p_piece
     and (w.account_id = session.account_id
          or (p.editor_status = 'pending'
              and exists (select from app.accounts a where a.id = session.account_id and a.role in ('moderator', 'operator'))));
  if not found then
    raise exception 'You have no such piece.' using errcode = 'SF404';
  end if;
end
$$;

-- Of a piece that a moderator names. Row security hides drafts from them; this tells only that it is one.
create function app.status_for_review(p_piece uuid, p_token text) returns text
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.editor_status from app.pieces p
     where p.id = p_piece
       and exists (select from app.accounts a
                    where a.id = (app.live_session(p_token)).account_id and a.role in ('moderator', 'operator'))
  $$;

-- The writer's acts.

create or replace function app.desk_publish(p_piece uuid, p_session_token text, p_nonce text, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'published', array['draft']);
  if piece.review_required then
    raise exception 'This piece is reviewed before it is public. Submit it for review.' using errcode = 'SF409';
  end if;
  perform app.use_nonce(piece, session, p_nonce);
  perform app.show_piece(piece, p_rendering);
  perform app.move_piece(piece, session, 'publish', 'approved', null);
end
$$;

create function app.desk_update(p_piece uuid, p_session_token text, p_nonce text, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'updated', array['approved']);
  if piece.review_required then
    raise exception 'This piece is reviewed before it changes in public. Unpublish it, then submit it for review.'
      using errcode = 'SF409';
  end if;
  perform app.use_nonce(piece, session, p_nonce);
  update pub.pieces set
    headline = piece.headline, sub = piece.sub, summary = p_rendering.summary, category = piece.category,
    tags = piece.tags, kind = piece.style, locale = piece.locale, external_url = piece.fields ->> 'external_url',
    modified_at = date_trunc('milliseconds', clock_timestamp()), headline_folded = p_rendering.headline_folded,
    sub_folded = p_rendering.sub_folded, head_keys = p_rendering.head_keys, body_keys = p_rendering.body_keys
   where id = piece.id;
  update pub.piece_contents set html = p_rendering.html, text = p_rendering.text where piece_id = piece.id;
  update pub.piece_texts set category = piece.category, body = p_rendering.body_folded where piece_id = piece.id;
  perform app.move_piece(piece, session, 'update', 'approved', null);
end
$$;

create or replace function app.desk_unpublish(p_piece uuid, p_session_token text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'unpublished', array['approved']);
  perform app.hide_piece(piece);
  perform app.move_piece(piece, session, 'unpublish', 'draft', null);
end
$$;

create function app.desk_submit(p_piece uuid, p_session_token text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'submitted for review', array['draft']);
  perform app.move_piece(piece, session, 'submit', 'pending', null);
end
$$;

create function app.desk_withdraw(p_piece uuid, p_session_token text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'withdrawn', array['pending', 'changes_requested']);
  perform app.move_piece(piece, session, 'withdraw', 'draft', null);
end
$$;

create function app.desk_resubmit(p_piece uuid, p_session_token text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'resubmitted', array['changes_requested']);
  perform app.move_piece(piece, session, 'resubmit', 'pending', null);
end
$$;

create function app.desk_revise(p_piece uuid, p_session_token text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'revised', array['rejected']);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'revise', 'draft', null);
end
$$;

-- The moderators' acts.

create function app.desk_approve(p_piece uuid, p_session_token text, p_nonce text, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.reviewed_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'approved', array['pending']);
  perform app.use_nonce(piece, session, p_nonce);
  perform app.show_piece(piece, p_rendering);
  perform app.move_piece(piece, session, 'approve', 'approved', null);
end
$$;

create function app.desk_request_changes(p_piece uuid, p_session_token text, p_note text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.reviewed_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'sent back for changes', array['pending']);
  perform app.move_piece(piece, session, 'request_changes', 'changes_requested', p_note);
end
$$;

create function app.desk_reject(p_piece uuid, p_session_token text, p_reason text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.reviewed_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'rejected', array['pending']);
  perform app.move_piece(piece, session, 'reject', 'rejected', p_reason);
end
$$;

create function app.desk_take_down(p_piece uuid, p_session_token text, p_to text, p_reason text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.reviewed_piece(p_piece, session);
begin
  perform app.demand_status(piece, 'taken down', array['approved']);
  if p_to <> all (array['changes_requested', 'rejected']) then
    raise exception 'A piece is taken down for changes or for good.' using errcode = 'SF400';
  end if;
  perform app.hide_piece(piece);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'take_down', p_to, p_reason);
end
$$;

-- The desk may call the acts, and nobody the steps inside them.
revoke all on function
  app.reviewed_piece(uuid, app.sessions), app.demand_status(app.pieces, text, text[]),
  app.use_nonce(app.pieces, app.sessions, text), app.move_piece(app.pieces, app.sessions, text, text, text),
  app.show_piece(app.pieces, app.rendering), app.hide_piece(app.pieces), app.make_nonce(uuid, text, integer, bytea),
  app.status_for_review(uuid, text),
  app.desk_update(uuid, text, text, app.rendering), app.desk_submit(uuid, text), app.desk_withdraw(uuid, text),
  app.desk_resubmit(uuid, text), app.desk_revise(uuid, text), app.desk_approve(uuid, text, text, app.rendering),
  app.desk_request_changes(uuid, text, text), app.desk_reject(uuid, text, text), app.desk_take_down(uuid, text, text, text)
  from public;
grant execute on function
  app.make_nonce(uuid, text, integer, bytea), app.status_for_review(uuid, text),
  app.desk_update(uuid, text, text, app.rendering), app.desk_submit(uuid, text), app.desk_withdraw(uuid, text),
  app.desk_resubmit(uuid, text), app.desk_revise(uuid, text), app.desk_approve(uuid, text, text, app.rendering),
  app.desk_request_changes(uuid, text, text), app.desk_reject(uuid, text, text), app.desk_take_down(uuid, text, text, text)
  to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;
