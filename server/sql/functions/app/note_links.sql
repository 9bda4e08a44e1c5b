set local role svc_owner;

-- Runs as the role that writes the public schema, which is svc_publisher alone. A paragraph that is one address; the page
-- compares the two more strictly where the text may be decoded. Links stay with their cards as long as the piece has them,
-- and take what another piece has fetched within a month: all that have a link are written together, so a few are enough.
create or replace function app.note_links() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  links text[] := '{}';
begin
  if tg_op <> 'DELETE' and new.html like '%<p><a href="http%' then
    links := array(
      select replace(found.part[1], '&amp;', '&') as url
        from regexp_matches(new.html,
               '<p><a href="(https?://[^"]+)" rel="ugc nofollow noopener noreferrer">([^<]*)</a></p>', 'g')
               with ordinality as found (part, place)
       where (found.part[2] = found.part[1] or found.part[1] ~ '%|xn--') and octet_length(found.part[1]) <= 1000
       group by 1 order by min(found.place) limit 20);
  end if;
  if tg_op <> 'INSERT' then
    delete from pub.link_cards c where c.piece_id = old.piece_id and c.url <> all (links);
  end if;
  if tg_op <> 'DELETE' and cardinality(links) > 0 then
    insert into pub.link_cards (piece_id, url, attempts, tried_at, title, site, picture, picture_width, picture_height,
                                picture_bytes)
    select new.piece_id, link.url, coalesce(known.attempts, 0), known.tried_at, known.title, known.site, known.picture,
           known.picture_width, known.picture_height, known.picture_bytes
      from unnest(links) as link (url)
      left join lateral (
        select c.* from (select other.* from pub.link_cards other where other.url = link.url limit 20) c
         where c.title is not null and c.tried_at > clock_timestamp() - interval '30 days'
         order by c.tried_at desc limit 1) as known on true
    on conflict do nothing;
  end if;
  return null;
end
$$;

revoke all on function app.note_links() from public;
