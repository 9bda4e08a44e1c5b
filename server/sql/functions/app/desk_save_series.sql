set local role svc_publisher;

-- A series of the writer's, made or changed: its words, and its pieces in their order. Public at once where a piece of it
-- is. Without a revision it is made; the same request again finds it as it made it. What lies in the trash keeps its place,
-- which the writer does not see: restored, it is there again.
-- The pieces are locked before the writer, as every act on a piece does.
create or replace function app.desk_save_series(p_session_hash bytea, p_series uuid, p_revision integer, p_slug text,
                                                p_title text, p_description text, p_pieces uuid[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  longest constant integer := :pieces_per_series;
  most    constant integer := :series_per_writer;
  mine    app.writers;
  known   app.series;
  trashed integer[];
begin
  perform from app.pieces p where p.id = any (p_pieces)
     and p.writer_id in (select w.id from app.writers w join app.sessions s on s.account_id = w.account_id
                          where s.token_hash = p_session_hash)
   order by p.id for key share;
  mine := app.own_writer(p_session_hash);
  trashed := array(select m.position from app.series_pieces m join app.pieces p on p.id = m.piece_id
                    where m.series_id = p_series and p.writer_id = mine.id and p.deleted_at is not null);
  if cardinality(p_pieces) + cardinality(trashed) > longest then
    raise exception 'error.series_too_long' using errcode = 'SF419', detail = json_build_object('limit', longest)::text;
  end if;
  -- Each once, and each theirs.
  if cardinality(p_pieces) <> (select count(*) from app.pieces p
                                where p.id = any (p_pieces) and p.writer_id = mine.id and p.deleted_at is null) then
    raise exception 'error.series_pieces' using errcode = 'SF400';
  end if;
  if exists (select from app.series_pieces m where m.piece_id = any (p_pieces) and m.series_id <> p_series) then
    raise exception 'error.series_taken' using errcode = 'SF409';
  end if;
  select s.* into known from app.series s where s.id = p_series;
  if known.id is null and p_revision is null then
    if (select count(*) from app.series s where s.writer_id = mine.id) >= most then
      raise exception 'error.too_many_series' using errcode = 'SF419', detail = json_build_object('limit', most)::text;
    end if;
    insert into app.series (id, writer_id, slug, title, description)
    values (p_series, mine.id, app.free_series_slug(mine.id, p_slug), p_title, p_description);
  else
    if known.writer_id is distinct from mine.id then
      raise exception 'error.series_not_found' using errcode = 'SF404';
    end if;
    if known.revision is distinct from coalesce(p_revision, 1) then
      raise exception 'error.series_changed' using errcode = 'SF412';
    end if;
    update app.series s set
      title = p_title, description = p_description, revision = s.revision + (p_revision is not null)::integer,
      updated_at = date_trunc('milliseconds', clock_timestamp())
     where s.id = p_series;
  end if;
  delete from app.series_pieces m where m.series_id = p_series and m.position <> all (trashed);
  insert into app.series_pieces (piece_id, series_id, position)
  select o.id, p_series, free.position
    from unnest(p_pieces) with ordinality o(id, place)
    join (select g.position, row_number() over (order by g.position) as place
            from generate_series(1, cardinality(p_pieces) + cardinality(trashed)) g(position)
           where g.position <> all (trashed)) free on free.place = o.place;
  perform app.copy_series(p_series);
end
$$;

revoke all on function app.desk_save_series(bytea, uuid, integer, text, text, text, uuid[]) from public;
grant execute on function app.desk_save_series(bytea, uuid, integer, text, text, text, uuid[]) to svc_desk;
