set local role svc_publisher;

-- The co-authors of a piece by their slugs, in the order of the byline: who is new is invited, who is missing is removed.
-- Returns those who are to get an email. Being invited changes nothing public; being removed and the order do at once.
create or replace function app.desk_set_co_authors(p_piece uuid, p_session_hash bytea, p_slugs text[]) returns setof uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
  started timestamptz := date_trunc('milliseconds', clock_timestamp());
  since   timestamptz := started - interval '1 day';
  wanted  uuid[];
  new_one uuid[];
begin
  if cardinality(p_slugs) > :co_authors_per_piece then
    raise exception 'error.co_authors.too_many' using errcode = 'SF419', detail = '{"limit":10}';
  end if;
  wanted := array(select w.id from unnest(p_slugs) with ordinality named(slug, place)
                    join app.writers w on w.slug = named.slug or w.id = (
                      select f.writer_id from app.former_slugs f where f.slug = named.slug)
                   order by named.place);
  if cardinality(wanted) <> cardinality(p_slugs)
     or cardinality(wanted) <> (select count(distinct one) from unnest(wanted) one) then
    raise exception 'error.co_authors.not_found' using errcode = 'SF404';
  end if;
  if piece.writer_id = any (wanted) then
    raise exception 'error.co_authors.oneself' using errcode = 'SF400';
  end if;
  new_one := array(select one from unnest(wanted) one
                    where not exists (select from app.co_authors c
                                       where c.piece_id = piece.id and c.writer_id = one and c.invited_by = piece.writer_id
                                         and c.removed_at is null));
  if cardinality(new_one) > 0 then
    if exists (select from app.suspensions s where s.writer_id = piece.writer_id) then
      raise exception 'error.suspended' using errcode = 'SF4SU';
    end if;
    if exists (select from app.suspensions s where s.writer_id = any (new_one)) then
      raise exception 'error.co_authors.not_found' using errcode = 'SF404';
    end if;
    -- So many a day of one person, and in all.
    if (select count(*) from app.co_authors c where c.invited_by = piece.writer_id and c.invited_at > since)
         + cardinality(new_one) > :co_author_invitations_per_day
       or exists (select from unnest(new_one) one
                   where (select count(*) from app.co_authors c
                           where c.invited_by = piece.writer_id and c.writer_id = one and c.invited_at > since) >= 10) then
      raise exception 'error.co_authors.too_many_invited' using errcode = 'SF419';
    end if;
  end if;

  update app.co_authors c set
    removed_at = clock_timestamp(),
    answer      = case when c.answer <> 'agreed' then c.answer end,
    answered_at = case when c.answer <> 'agreed' then c.answered_at end,
    answered_in = case when c.answer <> 'agreed' then c.answered_in end
   where c.piece_id = piece.id and c.removed_at is null and c.writer_id <> all (wanted);
  update app.co_authors c set position = place.n
    from unnest(wanted) with ordinality place(id, n)
   where c.piece_id = piece.id and c.writer_id = place.id and c.removed_at is null and c.position <> place.n;
  -- Who declined is invited again without a word: only they can change that. Who was removed within a day gets no second email.
  return query
    with invited as (
      insert into app.co_authors as known (piece_id, writer_id, invited_by, position)
      select piece.id, place.id, piece.writer_id, place.n
        from unnest(wanted) with ordinality place(id, n)
       where place.id = any (new_one)
      on conflict (piece_id, writer_id) do update set
        position = excluded.position, removed_at = null, invited_by = excluded.invited_by,
        answer      = case when known.invited_by = excluded.invited_by then known.answer end,
        answered_at = case when known.invited_by = excluded.invited_by then known.answered_at end,
        answered_in = case when known.invited_by = excluded.invited_by then known.answered_in end,
        invited_at = case when known.invited_at > since then known.invited_at else excluded.invited_at end
      returning known.writer_id, known.answer, known.invited_at)
    select i.writer_id from invited i where i.answer is null and i.invited_at >= started;
end
$$;

revoke all on function app.desk_set_co_authors(uuid, bytea, text[]) from public;
grant execute on function app.desk_set_co_authors(uuid, bytea, text[]) to svc_desk;
