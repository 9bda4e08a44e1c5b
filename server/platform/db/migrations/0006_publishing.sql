-- The one door from the private wing to the public one.
--
-- Each function is owned by svc_publisher, runs with its rights and demands a live session of the
-- piece's writer; publishing also demands the one-time nonce of the revision the writer was shown.
-- Errors: SF401 no live session, SF404 not the writer's piece, SF409 not from this state,
-- SF412 the nonce is not for this revision.
--
-- Lock: none that matters.

set local role svc_owner;
grant create on schema app to svc_publisher;

-- Everything the service derives from a revision. Made in TypeScript, so that Markdown, case folding
-- and slugs are spelled out in one place.
create type app.rendering as (
  slug            text,
  summary         text,
  html            text,
  text            text,
  headline_folded text,
  sub_folded      text,
  body_folded     text,
  head_keys       integer[],
  body_keys       integer[]
);
revoke usage on type app.rendering from public;
grant usage on type app.rendering to svc_desk, svc_publisher;

set local role svc_publisher;

create function app.live_session(p_token text) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_session app.sessions;
begin
  select s.* into found_session
    from app.sessions s join app.accounts a on a.id = s.account_id
   where s.token_hash = sha256(convert_to(p_token, 'UTF8'))
     and s.revoked_at is null and s.expires_at > clock_timestamp() and a.disabled_at is null;
  if not found then
    raise exception 'no live session' using errcode = 'SF401';
  end if;
  return found_session;
end
$$;

-- One act at a time for each writer: two headlines alike would otherwise race for one slug, and counts and the
-- profile be written from what was true a moment ago.
create function app.lock_writer(p_writer uuid) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$ select pg_advisory_xact_lock(hashtextextended(p_writer::text, 0)) $$;

-- The piece, locked, if it is the one of this session's writer.
create function app.own_piece(p_piece uuid, p_session app.sessions) returns app.pieces
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
    raise exception 'no such piece of this writer' using errcode = 'SF404';
  end if;
  perform app.lock_writer(found_piece.writer_id);
  return found_piece;
end
$$;

-- The public profile, made or brought up to date. Counts are kept by the publishing functions.
create function app.show_author(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  insert into pub.authors as shown (id, slug, name, bio, role, niche, location, avatar_url, website,
                           identity_verified, website_verified, socials, joined_at, search_text)
  select w.id, w.slug, w.name, w.bio, w.role, w.niche, w.location, w.avatar_url, w.website,
         w.identity_verified_at is not null, w.website_verified_at is not null, w.socials, w.joined_at, w.search_text
    from app.writers w where w.id = p_writer
  on conflict (id) do update set
    slug = excluded.slug, name = excluded.name, bio = excluded.bio, role = excluded.role, niche = excluded.niche,
    location = excluded.location, avatar_url = excluded.avatar_url, website = excluded.website,
    identity_verified = excluded.identity_verified, website_verified = excluded.website_verified,
    socials = excluded.socials, joined_at = excluded.joined_at, search_text = excluded.search_text;

  delete from pub.former_slugs f
   where f.author_id = p_writer
     and not exists (select from app.former_slugs s where s.slug = f.slug and s.writer_id = p_writer);
  insert into pub.former_slugs (slug, author_id)
  select s.slug, s.writer_id from app.former_slugs s where s.writer_id = p_writer
  on conflict (slug) do update set author_id = excluded.author_id;
end
$$;

-- "on-tea", or "on-tea-2" where this writer has that already.
create function app.free_piece_slug(p_writer uuid, p_slug text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  candidate text := p_slug;
  copy      integer := 1;
begin
  while exists (select from app.pieces where writer_id = p_writer and slug = candidate) loop
    copy := copy + 1;
    candidate := p_slug || '-' || copy;
  end loop;
  return candidate;
end
$$;

create function app.desk_publish(p_piece uuid, p_session_token text, p_nonce text, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session    app.sessions := app.live_session(p_session_token);
  piece      app.pieces := app.own_piece(p_piece, session);
  public_at  timestamptz := date_trunc('milliseconds', clock_timestamp());
  first_at   timestamptz := coalesce(piece.first_published_at, public_at);
  piece_slug text;
begin
  if piece.editor_status <> 'draft' or piece.review_required then
    raise exception 'a % piece cannot be published', piece.editor_status using errcode = 'SF409';
  end if;

  update app.publish_nonces set used_at = clock_timestamp()
   where nonce_hash = sha256(convert_to(p_nonce, 'UTF8')) and piece_id = piece.id and revision = piece.revision
     and session_id = session.id and used_at is null and expires_at > clock_timestamp();
  if not found then
    raise exception 'this is not the revision that was shown' using errcode = 'SF412';
  end if;

  piece_slug := coalesce(piece.slug, app.free_piece_slug(piece.writer_id, p_rendering.slug));
  update app.pieces set editor_status = 'approved', slug = piece_slug, first_published_at = first_at
   where id = piece.id;

  perform app.show_author(piece.writer_id);

  insert into pub.pieces (id, author_id, slug, headline, sub, summary, category, tags, kind, locale, external_url,
                          published_at, modified_at, headline_folded, sub_folded, head_keys, body_keys)
  values (piece.id, piece.writer_id, piece_slug, piece.headline, piece.sub, p_rendering.summary, piece.category,
          piece.tags, piece.style, piece.locale, piece.fields ->> 'external_url', first_at, public_at,
          p_rendering.headline_folded, p_rendering.sub_folded, p_rendering.head_keys, p_rendering.body_keys);
  insert into pub.piece_contents (piece_id, author_id, html, text)
  values (piece.id, piece.writer_id, p_rendering.html, p_rendering.text);
  insert into pub.piece_texts (piece_id, author_id, category, published_at, body)
  values (piece.id, piece.writer_id, piece.category, first_at, p_rendering.body_folded);

  update pub.authors set pieces_count = pieces_count + 1,
                         last_published_at = greatest(last_published_at, first_at)
   where id = piece.writer_id;

  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status)
  values ('publish', piece.id, piece.writer_id, session.account_id, session.id, piece.revision, 'draft', 'approved');
end
$$;

create function app.desk_unpublish(p_piece uuid, p_session_token text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.live_session(p_session_token);
  piece   app.pieces := app.own_piece(p_piece, session);
begin
  if piece.editor_status <> 'approved' then
    raise exception 'a % piece cannot be unpublished', piece.editor_status using errcode = 'SF409';
  end if;

  delete from pub.piece_contents where piece_id = piece.id;
  delete from pub.piece_texts where piece_id = piece.id;
  delete from pub.pieces where id = piece.id;
  update pub.authors set pieces_count = pieces_count - 1,
                         last_published_at = (select max(published_at) from pub.pieces where author_id = piece.writer_id)
   where id = piece.writer_id;

  update app.pieces set editor_status = 'draft' where id = piece.id;

  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status)
  values ('unpublish', piece.id, piece.writer_id, session.account_id, session.id, piece.revision, 'approved', 'draft');
end
$$;

-- The desk may call the acts, and nobody the steps inside them.
revoke all on function
  app.live_session(text), app.lock_writer(uuid), app.own_piece(uuid, app.sessions), app.show_author(uuid), app.free_piece_slug(uuid, text),
  app.desk_publish(uuid, text, text, app.rendering), app.desk_unpublish(uuid, text)
  from public;
grant execute on function app.desk_publish(uuid, text, text, app.rendering), app.desk_unpublish(uuid, text) to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;

-- Triggers fire whoever may call them; nothing else of ours is callable by everyone.
revoke all on function app.guard_status(), app.guard_delete(), app.guard_truncate(), app.guard_public(), app.guard_audit() from public;
revoke all on function app.is_free_slug(text), app.current_writer() from public;
grant execute on function app.current_writer() to svc_api, svc_desk, svc_publisher;
grant execute on function app.is_free_slug(text) to svc_desk;
