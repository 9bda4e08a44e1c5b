set local role svc_publisher;

-- All pins in their order, and the note. Answers with the new version; with null, and changes nothing, where another save
-- came after `p_version`. What has ended or is not public any more is left out.
create or replace function app.desk_set_front_page(p_session_hash bytea, p_version bigint, p_pieces uuid[],
                                                   p_ends timestamptz[], p_note text, p_note_ends_at timestamptz)
  returns bigint
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session      app.sessions;
  this_instant timestamptz := clock_timestamp();
  latest       timestamptz := this_instant + interval :'longest_pin';
  shown        uuid[];
  saved        bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('app.desk_set_front_page', 0));
  session := app.signed_in(p_session_hash);
  if not app.moderates(session) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  if p_version is distinct from coalesce((select max(s.version) from app.front_page_saves s), 0) then
    return null;
  end if;
  if cardinality(p_pieces) > :front_page_pins then
    raise exception 'error.front_page.too_many' using errcode = 'SF400', detail = '{"limit":7}';
  end if;
  if p_note_ends_at > latest or exists (select from unnest(p_ends) asked(ends_at) where asked.ends_at > latest) then
    raise exception 'error.front_page.ends_too_late' using errcode = 'SF400', detail = '{"days":30}';
  end if;
  -- Not what is being hidden at the moment, and nothing is hidden from here on. Waiting for it instead could end in a
  -- deadlock: a suspension locks many pieces, in any order, and then their pins.
  shown := array(select p.id from pub.pieces p where p.id = any (p_pieces) for key share skip locked);
  if exists (select from pub.pieces p where p.id = any (shown) group by p.author_id
             having count(*) > :front_page_places_of_author) then
    raise exception 'error.front_page.same_author' using errcode = 'SF400', detail = '{"limit":2}';
  end if;

  -- In the order of app.unpin_pieces.
  perform from pub.front_page_pins f order by f.place for update;
  delete from pub.front_page_pins;
  insert into pub.front_page_pins (place, piece_id, ends_at)
  select row_number() over (order by min(asked.place)), asked.id, max(asked.ends_at)
    from unnest(p_pieces, p_ends) with ordinality asked(id, ends_at, place)
   where asked.id = any (shown) and asked.ends_at > this_instant
   group by asked.id;
  delete from pub.front_page_note;
  insert into pub.front_page_note (note, ends_at) select p_note, p_note_ends_at
   where p_note is not null and p_note_ends_at > this_instant;

  insert into app.front_page_saves (account_id, session_id, pins, note, note_ends_at)
  select session.account_id, session.id,
         coalesce((select jsonb_agg(jsonb_build_object('piece', f.piece_id, 'ends_at', f.ends_at) order by f.place)
                     from pub.front_page_pins f), '[]'),
         (select n.note from pub.front_page_note n), (select n.ends_at from pub.front_page_note n)
  returning version into saved;
  return saved;
end
$$;

revoke all on function app.desk_set_front_page(bytea, bigint, uuid[], timestamp with time zone[], text, timestamp with time zone) from public;
grant execute on function app.desk_set_front_page(bytea, bigint, uuid[], timestamp with time zone[], text, timestamp with time zone) to svc_desk;
