set local role svc_publisher;

-- Returns whether a check has to be made: not while the last one may still be running. Each check calls a
-- server we do not know, at most once in thirty seconds for each writer.
create or replace function app.desk_ask_website_check(p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
begin
  if mine.website is null then
    raise exception 'error.no_website' using errcode = 'SF400';
  end if;
  insert into app.website_checks as known (writer_id, website, state) values (mine.id, mine.website, 'waiting')
  on conflict (writer_id) do update set state = 'waiting', asked_at = clock_timestamp()
   where known.asked_at < clock_timestamp() - case known.state when 'waiting' then interval '1 minute'
                                                               else interval '30 seconds' end;
  if not found and exists (select from app.website_checks c where c.writer_id = mine.id and c.state <> 'waiting') then
    raise exception 'error.website_check_too_soon' using errcode = 'SF419';
  end if;
  return found;
end
$$;

revoke all on function app.desk_ask_website_check(bytea) from public;
grant execute on function app.desk_ask_website_check(bytea) to svc_desk;
