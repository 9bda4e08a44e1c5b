set local role svc_owner;

-- Whether the caller shall put them into the store before this transaction ends: not if the picture is gone. Until then
-- nobody deletes it; what the store got of a transaction that failed is deleted with the picture.
create or replace function app.keep_media_variants(p_hash text) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_hash, 6));
  update app.media_variants v set made_at = date_trunc('milliseconds', clock_timestamp())
   where v.hash = p_hash and exists (select from app.media m where m.hash = p_hash);
  return found;
end
$$;

revoke all on function app.keep_media_variants(text) from public;
grant execute on function app.keep_media_variants(text) to svc_worker;
