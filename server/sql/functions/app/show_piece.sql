set local role svc_publisher;

-- Copies the piece into the public schema, for the first time or again: then with the slug and the date it had.
create or replace function app.show_piece(p_piece app.pieces, p_rendering app.rendering) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  public_at  timestamptz := date_trunc('milliseconds', clock_timestamp());
  first_at   timestamptz := coalesce(p_piece.first_published_at, public_at);
  piece_slug text := coalesce(p_piece.slug, app.free_piece_slug(p_piece.writer_id, p_rendering.slug));
begin
  perform app.demand_headline(p_piece);
  update app.pieces set editor_status = 'approved', slug = piece_slug, first_published_at = first_at
   where id = p_piece.id;

  perform app.show_author(p_piece.writer_id);

  insert into pub.pieces (id, author_id, slug, headline, sub, summary, category, tags, kind, locale, external_url,
                          published_at, modified_at, arrived_at, headline_folded, sub_folded, translation_of, cover,
                          meta)
  values (p_piece.id, p_piece.writer_id, piece_slug, p_piece.headline, p_piece.sub, p_rendering.summary,
          p_piece.category, p_piece.tags, p_piece.style, p_piece.locale, p_piece.fields ->> 'external_url', first_at,
          public_at, (select i.published_at from app.imports i where i.piece_id = p_piece.id), p_rendering.headline_folded, p_rendering.sub_folded, app.original_of(p_piece),
          app.cover_of(p_piece), p_piece.fields -> 'meta');
  insert into pub.piece_contents (piece_id, author_id, html, text)
  values (p_piece.id, p_piece.writer_id, p_rendering.html, p_rendering.text);
  insert into pub.piece_texts (piece_id, author_id, category, published_at, body)
  values (p_piece.id, p_piece.writer_id, p_piece.category, first_at, p_rendering.body_folded);

  update pub.authors set pieces_count = pieces_count + 1,
                         last_published_at = greatest(last_published_at, first_at)
   where id = p_piece.writer_id;
end
$$;

revoke all on function app.show_piece(app.pieces, app.rendering) from public;
