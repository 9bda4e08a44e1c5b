set local role svc_publisher;

-- For the worker: what it found at the address, for every public piece that has it; without a title it found nothing, and
-- what was there before stays. `p_final` is for an address that is not tried again. Answers with the pieces whose page has
-- changed. While the caller stores the picture, app.take_gone_media waits for it.
create or replace function app.keep_link_card(p_url text, p_title text, p_site text, p_picture text, p_width integer,
                                              p_height integer, p_bytes integer, p_final boolean) returns setof uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if p_title is null then
    update pub.link_cards c set tried_at = moment, attempts = case when p_final then 3 else least(c.attempts + 1, 3) end
     where c.url = p_url;
    return;
  end if;
  if p_picture is not null then
    perform pg_advisory_xact_lock(hashtextextended(p_picture, 6));
  end if;
  return query
    with former as materialized (
      select c.piece_id, c.title, c.site, c.picture from pub.link_cards c where c.url = p_url
    ), kept as (
      update pub.link_cards c set tried_at = moment, attempts = 0, title = p_title, site = p_site, picture = p_picture,
                                  picture_width = p_width, picture_height = p_height, picture_bytes = p_bytes
       where c.url = p_url
      returning c.piece_id
    )
    select k.piece_id from kept k join former f on f.piece_id = k.piece_id
     where (f.title, f.site, f.picture) is distinct from (p_title, p_site, p_picture);
end
$$;

revoke all on function app.keep_link_card(text, text, text, text, integer, integer, integer, boolean) from public;
grant execute on function app.keep_link_card(text, text, text, text, integer, integer, integer, boolean) to svc_worker;
