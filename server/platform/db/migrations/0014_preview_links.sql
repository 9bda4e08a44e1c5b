-- Previews: the page a piece will have, for whoever holds the token of it.
--
-- Two kinds. A page shows one revision for ten minutes, in the desk's own frame. A link shows the piece as it is now, for
-- some days, to whomever its writer sends it; it is listed and can be taken back. Tokens have 256 bits and come as hashes.
-- Only whoever may look at the piece makes one, in a live session: its writer, and for a page a moderator while it waits.
-- Errors: SF400 no such time, SF401 no live session, SF404 not their piece or link, SF409 refused, SF419 enough links.
--
-- Lock: ACCESS EXCLUSIVE on app.past_revisions for an instant.

set local role svc_owner;

create table app.previews (
  id           uuid        primary key default gen_random_uuid(),
  token_hash   bytea       not null unique check (octet_length(token_hash) = 32),
  piece_id     uuid        not null references app.pieces on delete cascade,
  account_id   uuid        not null references app.accounts on delete cascade,
  -- Of a page; null for a link.
  revision     integer,
  created_at   timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at   timestamptz not null,
  last_seen_at timestamptz
);
create index previews_of_piece on app.previews (piece_id, created_at);
create index previews_of_account on app.previews (account_id);
create index previews_by_age on app.previews (expires_at);

grant select, insert, delete on app.previews to svc_publisher;
grant update (last_seen_at) on app.previews to svc_publisher;
grant select on app.past_revisions to svc_publisher;
create policy publisher_previews on app.past_revisions for select to svc_publisher using (true);

create function app.sweep_previews() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.previews where expires_at < clock_timestamp() $$;
revoke all on function app.sweep_previews() from public;
grant execute on function app.sweep_previews() to svc_worker;

grant create on schema app to svc_publisher;
set local role svc_publisher;

create function app.make_preview_page(p_piece uuid, p_session_hash bytea, p_revision integer, p_token_hash bytea)
  returns void
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
     and (piece.editor_status is distinct from 'pending' or p_revision is distinct from piece.revision
          or not app.moderates(session)) then
    raise exception 'There is no such piece to look at. The list shows those there are.' using errcode = 'SF404';
  end if;
  delete from app.previews v where v.piece_id = p_piece and v.expires_at < clock_timestamp();
  insert into app.previews (token_hash, piece_id, account_id, revision, expires_at)
  values (p_token_hash, p_piece, session.account_id, p_revision, clock_timestamp() + interval '10 minutes');
end
$$;

-- Taken down, and not public again since.
create function app.is_taken_down(p_piece uuid) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return coalesce(
    (select t.act = 'take_down' from app.audit t
      where t.piece_id = p_piece and (t.act = 'take_down' or t.to_status = 'approved')
      order by t.id desc limit 1), false);
end
$$;

create function app.make_preview_link(p_piece uuid, p_session_hash bytea, p_days integer, p_token_hash bytea)
  returns app.previews
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
  made    app.previews;
begin
  if p_days is null or p_days not in (1, 7, 30) then
    raise exception 'A link lasts 1, 7 or 30 days.' using errcode = 'SF400';
  end if;
  if piece.editor_status = 'rejected' then
    raise exception 'A piece that was rejected is not shown by links. Revise it first.' using errcode = 'SF409';
  end if;
  if app.is_taken_down(p_piece) then
    raise exception 'A piece that was taken down is not shown by links until it is public again.'
      using errcode = 'SF409';
  end if;
  if (select count(*) from app.previews v
       where v.piece_id = p_piece and v.revision is null and v.expires_at > clock_timestamp()) >= 20 then
    raise exception 'This piece has 20 links, which is the most. Take back one that is no longer needed.'
      using errcode = 'SF419';
  end if;
  insert into app.previews (token_hash, piece_id, account_id, expires_at)
  values (p_token_hash, p_piece, session.account_id,
          date_trunc('milliseconds', clock_timestamp()) + make_interval(days => p_days))
  returning * into made;
  return made;
end
$$;

create function app.preview_links(p_piece uuid, p_session_hash bytea) returns setof app.previews
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
begin
  select p.* into piece from app.pieces p where p.id = p_piece;
  perform app.writer_session(piece, p_session_hash);
  return query
    select v.* from app.previews v
     where v.piece_id = p_piece and v.revision is null and v.expires_at > clock_timestamp()
     order by v.created_at desc, v.id;
end
$$;

create function app.revoke_preview_link(p_piece uuid, p_session_hash bytea, p_link uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces := app.locked_piece(p_piece);
begin
  perform app.writer_session(piece, p_session_hash);
  delete from app.previews v where v.id = p_link and v.piece_id = p_piece and v.revision is null;
  if not found then
    raise exception 'This piece has no such link. The list shows those it has.' using errcode = 'SF404';
  end if;
end
$$;

-- The one meaning of a live token: in time, of an account that is not barred and may still look at the piece. A link
-- rests while its piece is rejected, and from a take-down until the piece is public again.
create function app.live_preview(p_token_hash bytea) returns app.previews
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
     and (v.revision is not null or p.editor_status <> 'rejected' and not app.is_taken_down(p.id));
  return live;
end
$$;

-- The text a token shows: of its revision, or of the piece as it is now.
create function app.previewed_text(p_live app.previews)
  returns table (headline text, sub text, body_md text, category text, tags text[], style text, locale text,
                 fields jsonb)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select p.headline, p.sub, p.body_md, p.category, p.tags, p.style, p.locale, p.fields
      from app.pieces p
     where p.id = p_live.piece_id and p.revision = coalesce(p_live.revision, p.revision)
    union all
    select r.headline, r.sub, r.body_md, r.category, r.tags, r.style, r.locale, r.fields
      from app.past_revisions r join app.pieces p on p.id = r.piece_id
     where r.piece_id = p_live.piece_id and r.revision = p_live.revision and r.revision <> p.revision;
end
$$;

-- All that the page of it shows, of the piece and of its writer.
create function app.previewed(p_token_hash bytea)
  returns table (id uuid, headline text, sub text, body_md text, category text, tags text[], style text, locale text,
                 external_url text, piece_slug text, first_published_at timestamptz, writer_id uuid, writer_slug text,
                 name text, bio text, role text, niche text, location text, avatar_url text, website text,
                 identity_verified boolean, website_verified boolean, socials jsonb, joined_at timestamptz,
                 pictures json)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  if live.id is null then
    return;
  end if;
  if live.last_seen_at is null or live.last_seen_at < clock_timestamp() - interval '1 minute' then
    -- Skips the row while another request notes the same.
    update app.previews v set last_seen_at = date_trunc('milliseconds', clock_timestamp())
     where v.id = (select u.id from app.previews u where u.id = live.id for no key update skip locked);
  end if;
  return query
    select p.id, t.headline, t.sub, t.body_md, t.category, t.tags, t.style, t.locale, t.fields ->> 'external_url',
           p.slug, p.first_published_at, w.id, w.slug, w.name, w.bio, w.role, w.niche, w.location, w.avatar_url,
           w.website, w.identity_verified_at is not null, w.website_verified_at is not null, w.socials, w.joined_at,
           (select coalesce(json_object_agg(m.hash, json_build_array(m.width, m.height)), '{}')
              from app.piece_media n join app.media m on m.hash = n.hash and m.writer_id = n.writer_id
             where n.piece_id = p.id)
      from app.pieces p join app.writers w on w.id = p.writer_id
           cross join app.previewed_text(live) t
     where p.id = live.piece_id;
end
$$;

-- A picture that the text shown names, or its writer's portrait.
create function app.previewed_media(p_token_hash bytea, p_hash text) returns table (type text, bytes integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  return query
    select m.type, m.bytes
      from app.pieces p join app.writers w on w.id = p.writer_id
           join app.media m on m.writer_id = p.writer_id and m.hash = p_hash
     where p.id = live.piece_id
       and (w.avatar_url like '%/media/' || p_hash
            or exists (select from app.previewed_text(live) t where position('/media/' || m.hash in t.body_md) > 0));
end
$$;

revoke all on function app.make_preview_page(uuid, bytea, integer, bytea),
  app.make_preview_link(uuid, bytea, integer, bytea), app.preview_links(uuid, bytea),
  app.revoke_preview_link(uuid, bytea, uuid), app.is_taken_down(uuid), app.live_preview(bytea),
  app.previewed_text(app.previews), app.previewed(bytea),
  app.previewed_media(bytea, text) from public;
grant execute on function app.make_preview_page(uuid, bytea, integer, bytea),
  app.make_preview_link(uuid, bytea, integer, bytea), app.preview_links(uuid, bytea),
  app.revoke_preview_link(uuid, bytea, uuid), app.previewed(bytea), app.previewed_media(bytea, text)
  to svc_desk;

set local role svc_owner;
revoke create on schema app from svc_publisher;
