set local role svc_owner;

-- Whatever else would show them: an operator's command, or a function that is yet to be written. Deferred, so that the
-- refusals above speak first.
create or replace function app.refuse_suspended_author() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.suspensions s where s.writer_id = new.id) then
    raise exception 'error.author_suspended' using errcode = 'SF409';
  end if;
  return null;
end
$$;

revoke all on function app.refuse_suspended_author() from public;
