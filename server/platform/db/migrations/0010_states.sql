-- The life of a piece: every move is a signed-in person's act, and one function.
--
--   draft              publish, submit        by its writer
--   pending            withdraw               by its writer
--                      approve                by a moderator who is not its writer; from then on review is required
--                      request changes, reject            by a moderator who is not its writer
--   changes_requested  resubmit, withdraw     by its writer
--   rejected           revise                 by its writer; from then on review is required
--   approved           update, unpublish      by its writer
--                      take down              by a moderator; from then on review is required
--
-- features/pieces/states.ts is the same table; a test walks both. What goes before readers or moderators is what its
-- writer saw: Publish, Update, Submit, Resubmit and Approve demand the one-time nonce of the revision shown. Only Publish,
-- Update and Approve write public text.
-- Each act locks the piece and its writer first and looks at the session then: one that ended meanwhile does nothing.
-- Sessions and nonces come as hashes, since a server may log the parameters of a statement.
-- Errors as in 0006, with sentences for people.
--
-- Lock: ACCESS EXCLUSIVE on app.pieces for an instant.

set local role svc_owner;
grant create on schema app to svc_publisher;
grant execute on function app.session_of(bytea), app.signed_in(bytea) to svc_publisher;
-- Nonces are made by a function that knows the session.
revoke insert, select on app.publish_nonces from svc_desk;
grant insert (nonce_hash, piece_id, revision, session_id, expires_at), delete on app.publish_nonces to svc_publisher;
-- When its writer last put it before the moderators, who take the longest waiting first.
alter table app.pieces add column submitted_at timestamptz;
create index pieces_waiting on app.pieces (submitted_at, id) where editor_status = 'pending';
-- The trail of one's own pieces.
alter table app.audit enable row level security;
create policy desk_reads_own on app.audit for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy publisher_adds on app.audit for insert to svc_publisher with check (true);
-- Of a public piece a moderator reads what everybody does.
grant usage on schema pub to svc_desk;
grant select on pub.authors, pub.pieces, pub.piece_contents to svc_desk;

set local role svc_publisher;

drop function app.desk_publish(uuid, text, text, app.rendering);
drop function app.desk_unpublish(uuid, text);
drop function app.own_piece(uuid, app.sessions);
drop function app.live_session(text);

-- The piece, for this act alone until it is done; nothing where there is none.
create function app.locked_piece(p_piece uuid) returns app.pieces
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_piece app.pieces;
begin
  select p.* into found_piece from app.pieces p where p.id = p_piece for update;
  if found then
    perform app.lock_writer(found_piece.writer_id);
  end if;
  return found_piece;
end
$$;

-- The session, if it is live and of the piece's writer.
create function app.writer_session(p_piece app.pieces, p_session_hash bytea) returns app.sessions
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not exists (select from app.writers w where w.id = p_piece.writer_id and w.account_id = session.account_id) then
    raise exception 'You have no such piece. The list of your pieces shows those you have.' using errcode = 'SF404';
  end if;
  return session;
end
$$;

create function app.moderates(p_session app.sessions) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return exists (select from app.accounts a where a.id = p_session.account_id and a.role in ('moderator', 'operator'));
end
$$;

-- The session, if it is live and of a moderator who did not write the piece.
create function app.moderator_session(p_piece app.pieces, p_session_hash bytea) returns app.sessions
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not app.moderates(session) then
    raise exception 'Only moderators review. An operator can make you one.' using errcode = 'SF403';
  end if;
  if p_piece.id is null then
    raise exception 'There is no such piece to review. The queue shows what waits.' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = p_piece.writer_id and w.account_id = session.account_id) then
    raise exception 'Nobody reviews their own piece. Leave it to another moderator.' using errcode = 'SF403';
  end if;
  return session;
end
$$;

create function app.demand_status(p_piece app.pieces, p_act text, p_from text[]) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_piece.editor_status <> all (p_from) then
    raise exception '%', format('A piece that is %s cannot be %s. Look at it once more to see what can be done.',
      replace(p_piece.editor_status, 'changes_requested', 'waiting for changes'), p_act) using errcode = 'SF409';
  end if;
end
$$;

-- Uses up the nonce of the revision that was shown, or says what is the matter with it. `p_act` as in "publish it".
create function app.use_nonce(p_piece app.pieces, p_session app.sessions, p_nonce_hash bytea, p_act text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  shown app.publish_nonces;
begin
  update app.publish_nonces set used_at = clock_timestamp()
   where nonce_hash = p_nonce_hash and piece_id = p_piece.id and revision = p_piece.revision
     and session_id = p_session.id and used_at is null and expires_at > clock_timestamp();
  if found then
    return;
  end if;
  select n.* into shown from app.publish_nonces n
   where n.nonce_hash = p_nonce_hash and n.piece_id = p_piece.id and n.session_id = p_session.id;
  raise exception '%', format(case
      when shown.nonce_hash is null then 'It was not shown to you in this session. Look at it first, then %s it.'
      when shown.revision <> p_piece.revision then 'It has changed since you looked at it. Look at it once more, then %s it.'
      when shown.used_at is not null then 'What you saw was used already. Look at it once more, then %s it.'
      else 'You looked at it more than ten minutes ago. Look at it once more, then %s it.'
    end, p_act) using errcode = 'SF412';
end
$$;

-- Every move ends here: the new status, and a row of the trail.
create function app.move_piece(p_piece app.pieces, p_session app.sessions, p_act text, p_to text, p_note text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.pieces set
    editor_status = p_to,
    submitted_at = case when p_to = 'pending' then date_trunc('milliseconds', clock_timestamp()) else submitted_at end
   where id = p_piece.id and editor_status <> p_to;
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  values (p_act, p_piece.id, p_piece.writer_id, p_session.account_id, p_session.id, p_piece.revision,
          p_piece.editor_status, p_to, p_note);
end
$$;

-- "on-tea", or "on-tea-2" where this writer has that already; beyond the twentieth, some letters of chance.
create or replace function app.free_piece_slug(p_writer uuid, p_slug text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  as $$
declare
  candidate text := p_slug;
  copy      integer := 1;
begin
  while exists (select from app.pieces where writer_id = p_writer and slug = candidate) loop
    copy := copy + 1;
    candidate := p_slug || '-' || case when copy <= 20 then copy::text else left(gen_random_uuid()::text, 8) end;
  end loop;
  return candidate;
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
create function app.make_nonce(p_piece uuid, p_session_hash bytea, p_revision integer, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces;
  session app.sessions;
begin
  select p.* into piece from app.pieces p where p.id = p_piece for key share;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = piece.writer_id and w.account_id = session.account_id)
     and (piece.editor_status is distinct from 'pending' or not app.moderates(session)) then
    raise exception 'There is no such piece to look at. The list shows those there are.' using errcode = 'SF404';
  end if;
  delete from app.publish_nonces where piece_id = p_piece and session_id = session.id and expires_at < clock_timestamp();
  insert into app.publish_nonces (nonce_hash, piece_id, revision, session_id, expires_at)
  values (p_nonce_hash, p_piece, p_revision, session.id, clock_timestamp() + interval '10 minutes');
end
$$;

-- Of a piece that a moderator names. Row security hides from them what is not theirs to read; this tells its state alone.
create function app.status_for_review(p_piece uuid, p_session_hash bytea) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return (select p.editor_status from app.pieces p where p.id = p_piece and app.moderates(session));
end
$$;

-- The writer's acts.

create function app.desk_publish(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'published', array['draft']);
  if piece.review_required then
    raise exception 'This piece is reviewed before it is public. Submit it for review.' using errcode = 'SF409';
  end if;
  perform app.use_nonce(piece, session, p_nonce_hash, 'publish');
  perform app.show_piece(piece, p_rendering);
  perform app.move_piece(piece, session, 'publish', 'approved', null);
end
$$;

create function app.desk_update(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'updated', array['approved']);
  if piece.review_required then
    raise exception 'This piece is reviewed before it changes in public. Unpublish it, then submit it for review.'
      using errcode = 'SF409';
  end if;
  perform app.use_nonce(piece, session, p_nonce_hash, 'update');
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

create function app.desk_unpublish(p_piece uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'unpublished', array['approved']);
  perform app.hide_piece(piece);
  perform app.move_piece(piece, session, 'unpublish', 'draft', null);
end
$$;

create function app.desk_submit(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'submitted for review', array['draft']);
  perform app.use_nonce(piece, session, p_nonce_hash, 'submit');
  perform app.move_piece(piece, session, 'submit', 'pending', null);
end
$$;

create function app.desk_withdraw(p_piece uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'withdrawn', array['pending', 'changes_requested']);
  perform app.move_piece(piece, session, 'withdraw', 'draft', null);
end
$$;

create function app.desk_resubmit(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'resubmitted', array['changes_requested']);
  perform app.use_nonce(piece, session, p_nonce_hash, 'resubmit');
  perform app.move_piece(piece, session, 'resubmit', 'pending', null);
end
$$;

create function app.desk_revise(p_piece uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'revised', array['rejected']);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'revise', 'draft', null);
end
$$;

-- The moderators' acts.

create function app.desk_approve(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.moderator_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'approved', array['pending']);
  perform app.use_nonce(piece, session, p_nonce_hash, 'approve');
  perform app.show_piece(piece, p_rendering);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'approve', 'approved', null);
end
$$;

create function app.desk_request_changes(p_piece uuid, p_session_hash bytea, p_note text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.moderator_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'sent back for changes', array['pending']);
  perform app.move_piece(piece, session, 'request_changes', 'changes_requested', p_note);
end
$$;

create function app.desk_reject(p_piece uuid, p_session_hash bytea, p_reason text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.moderator_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'rejected', array['pending']);
  perform app.move_piece(piece, session, 'reject', 'rejected', p_reason);
end
$$;

create function app.desk_take_down(p_piece uuid, p_session_hash bytea, p_to text, p_reason text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.moderator_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'taken down', array['approved']);
  if p_to <> all (array['changes_requested', 'rejected']) then
    raise exception 'A piece is taken down for changes or for good. Say which: changes_requested or rejected.'
      using errcode = 'SF400';
  end if;
  perform app.hide_piece(piece);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'take_down', p_to, p_reason);
end
$$;

-- The desk may call the acts, and nobody the steps inside them.
do $$
declare
  act regprocedure;
begin
  for act in
    select p.oid from pg_proc p where p.pronamespace = 'app'::regnamespace and p.proowner = 'svc_publisher'::regrole
  loop
    execute format('revoke all on function %s from public', act);
  end loop;
end
$$;
grant execute on function
  app.make_nonce(uuid, bytea, integer, bytea), app.status_for_review(uuid, bytea),
  app.desk_publish(uuid, bytea, bytea, app.rendering), app.desk_update(uuid, bytea, bytea, app.rendering),
  app.desk_unpublish(uuid, bytea), app.desk_submit(uuid, bytea, bytea), app.desk_withdraw(uuid, bytea),
  app.desk_resubmit(uuid, bytea, bytea), app.desk_revise(uuid, bytea),
  app.desk_approve(uuid, bytea, bytea, app.rendering), app.desk_request_changes(uuid, bytea, text),
  app.desk_reject(uuid, bytea, text), app.desk_take_down(uuid, bytea, text, text)
  to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;
