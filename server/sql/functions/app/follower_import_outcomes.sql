set local role svc_owner;

-- What the next rows of an import would be:
--   added  a follower, by the consent that the file has a date of
--   asked  to confirm, since there is no date
--   known  follows the writer, or was asked
--   ended  stopped following the writer, or takes no emails of this site: which of them is not said
create or replace function app.follower_import_outcomes(p_import uuid, p_most integer)
  returns table ("position" integer, outcome text, known_reader uuid)
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select n.position,
           case when r.suppressed_at is not null
                  or exists (select from app.former_followers e
                              where e.writer_id = i.writer_id and e.address_hash = any (n.address_hashes)) then 'ended'
                when exists (select from app.follows f
                              where f.reader_id = r.id and f.subject = 'author:' || i.writer_id) then 'known'
                when n.consented_at is null then 'asked'
                else 'added' end,
           r.id
      from (select * from app.follower_import_rows o where o.import_id = p_import order by o.position limit p_most) n
           join app.follower_imports i on i.id = n.import_id
           left join lateral (select * from app.readers k where k.address_hash = any (n.address_hashes)
                               order by k.suppressed_at limit 1) r on true
  $$;

revoke all on function app.follower_import_outcomes(uuid, integer) from public;
