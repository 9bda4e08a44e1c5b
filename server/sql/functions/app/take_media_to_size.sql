set local role svc_owner;

-- One picture that waits, of the next author after this one: a writer who shows a thousand delays nobody by more than
-- one. After three failures it stays as it is, and readers get the original; after thirty tries too, since it may be what
-- ends the worker.
create or replace function app.take_media_to_size(p_after uuid)
  returns table (hash text, author_id uuid, width integer)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  taken app.media_variants;
begin
  select v.* into taken from app.media_variants v
   where v.made_at is null and v.failures < 3 and v.tries < 30 and v.author_id > p_after
   order by v.author_id, v.hash limit 1;
  if taken.hash is null then
    select v.* into taken from app.media_variants v
     where v.made_at is null and v.failures < 3 and v.tries < 30 order by v.author_id, v.hash limit 1;
  end if;
  update app.media_variants v set tries = v.tries + 1 where v.hash = taken.hash;
  return query
    select taken.hash, taken.author_id, coalesce((select m.width from app.media m where m.hash = taken.hash limit 1), 0)
     where taken.hash is not null;
end
$$;

revoke all on function app.take_media_to_size(uuid) from public;
grant execute on function app.take_media_to_size(uuid) to svc_worker;
