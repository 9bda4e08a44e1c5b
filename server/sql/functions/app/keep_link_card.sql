set local role svc_publisher;

-- For the worker: what it found at the address, for the public pieces that have it, 100 at a time in the order of their ids,
-- after this one; without a title it found nothing, and what was there before stays. `p_final` is for an address that is not
-- tried again. Answers with these pieces, and whether their page has changed; with none after the last.
-- Waits for no row: what is being hidden at the moment needs no card. While the caller stores the picture,
-- app.take_gone_media waits for it.
create or replace function app.keep_link_card(p_url text, p_title text, p_site text, p_picture text, p_width integer,
                                              p_height integer, p_bytes integer, p_final boolean, p_after uuid)
  returns table (piece uuid, has_changed boolean)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  most   constant integer := 100;
begin
  if p_picture is not null then
    perform pg_advisory_xact_lock(hashtextextended(p_picture, 6));
  end if;
  return query
    with former as materialized (
      select c.piece_id, c.title, c.site, c.picture from pub.link_cards c
       where c.url = p_url and (p_after is null or c.piece_id > p_after)
       order by c.piece_id limit most for update skip locked
    ), tried as (
      update pub.link_cards c set tried_at = moment,
                                  attempts = case when p_final then 3 else least(c.attempts + 1, 3) end
        from former f where p_title is null and c.url = p_url and c.piece_id = f.piece_id
    ), kept as (
      update pub.link_cards c set tried_at = moment, attempts = 0, title = p_title, site = p_site, picture = p_picture,
                                  picture_width = p_width, picture_height = p_height, picture_bytes = p_bytes
        from former f where p_title is not null and c.url = p_url and c.piece_id = f.piece_id
    )
    select f.piece_id, p_title is not null and (f.title, f.site, f.picture) is distinct from (p_title, p_site, p_picture)
      from former f order by f.piece_id;
end
$$;

revoke all on function app.keep_link_card(text, text, text, text, integer, integer, integer, boolean, uuid) from public;
grant execute on function app.keep_link_card(text, text, text, text, integer, integer, integer, boolean, uuid) to svc_worker;
