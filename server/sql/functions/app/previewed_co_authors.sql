set local role svc_publisher;

-- The co-authors that the page of what a token shows would name, in order; null if none. A portrait that is not public yet
-- is left out.
create or replace function app.previewed_co_authors(p_token_hash bytea) returns json
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select json_agg(json_build_object('slug', w.slug, 'name', w.name, 'avatar', a.avatar_url,
                                      'verified', w.identity_verified_at is not null) order by named.place)
      from app.live_preview(p_token_hash) live
      join app.pieces p on p.id = live.piece_id
      cross join unnest(app.co_authors_of(p.id, p.writer_id)) with ordinality named(id, place)
      join app.writers w on w.id = named.id
      left join pub.authors a on a.id = w.id
  $$;

revoke all on function app.previewed_co_authors(bytea) from public;
grant execute on function app.previewed_co_authors(bytea) to svc_desk;
