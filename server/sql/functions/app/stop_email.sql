set local role svc_owner;

-- The reader of an email stops following what it was sent for. Nothing happens where that was done before. False if the
-- email is not known any more.
create or replace function app.stop_email(p_email uuid) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.stop_following(e.reader_id, array(select f.subject from app.follows f
                                                 where f.reader_id = e.reader_id and app.is_sent_for(e, f)))
     from app.reader_emails e where e.id = p_email;
  return found;
end
$$;

revoke all on function app.stop_email(uuid) from public;
grant execute on function app.stop_email(uuid) to svc_desk;
