set local role svc_owner;

-- One hash whose bytes the caller shall delete before this transaction ends, or null. While it lasts nobody can get the
-- same picture by uploading it: they wait, and put the bytes there once more.
create or replace function app.take_gone_media() returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  gone text;
begin
  loop
    select g.hash into gone from app.media_gone g limit 1 for update skip locked;
    if gone is null then
      return null;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(gone, 6));
    delete from app.media_gone g where g.hash = gone;
    if not exists (select from app.media m where m.hash = gone)
       and not exists (select from pub.link_cards c where c.picture = gone) then
      delete from app.media_variants v where v.hash = gone;
      return gone;
    end if;
  end loop;
end
$$;

revoke all on function app.take_gone_media() from public;
grant execute on function app.take_gone_media() to svc_worker;
