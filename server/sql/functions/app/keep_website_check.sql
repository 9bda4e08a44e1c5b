set local role svc_publisher;

-- For the worker: what it found. Answers with the address of whose mark has changed, for the caches; null where none has.
-- A website that answers without the proof loses the mark at once, one that cannot be reached after three days.
create or replace function app.keep_website_check(p_writer uuid, p_website text, p_state text, p_method text, p_evidence text)
  returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  mine   app.writers;
  kept   app.website_checks;
begin
  perform app.lock_writer(p_writer);
  select w.* into mine from app.writers w where w.id = p_writer;
  if mine.id is null or mine.website is distinct from p_website then
    return null;
  end if;
  update app.website_checks c set
    website = p_website, state = p_state, evidence = p_evidence, checked_at = moment,
    method = case p_state when 'unreachable' then c.method else p_method end,
    found_at = case p_state when 'proven' then moment else c.found_at end,
    proven_at = case when p_state = 'proven' then coalesce(c.proven_at, moment)
                     when p_state = 'unreachable'
                      and coalesce(c.unreachable_since, moment) > moment - interval :'website_unreachable_grace' then c.proven_at end,
    unreachable_since = case p_state when 'unreachable' then coalesce(c.unreachable_since, moment) end
   where c.writer_id = p_writer
  returning c.* into kept;
  if not found then
    return null;
  end if;

  update app.writers w set website_verified_at = kept.proven_at where w.id = p_writer;
  if p_state = 'proven' or (mine.website_verified_at is not null and kept.proven_at is null) then
    perform app.show_if_public(p_writer);
  end if;
  if (mine.website_verified_at is null) = (kept.proven_at is null) then
    return null;
  end if;
  insert into app.writer_audit (act, writer_id)
  values (case when kept.proven_at is null then 'lose_website' else 'prove_website' end, p_writer);
  return mine.slug;
end
$$;

revoke all on function app.keep_website_check(uuid, text, text, text, text) from public;
grant execute on function app.keep_website_check(uuid, text, text, text, text) to svc_worker;
