set local role svc_owner;

-- How many rows of a file would be what, for the writer who uploaded it.
create or replace function app.preview_follower_import(p_import uuid) returns table (added integer, asked integer, known integer, ended integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select count(*) filter (where o.outcome = 'added')::integer, count(*) filter (where o.outcome = 'asked')::integer,
           count(*) filter (where o.outcome = 'known')::integer,
           (count(*) filter (where o.outcome = 'ended') + min(i.ended))::integer
      from app.follower_imports i left join lateral app.follower_import_outcomes(i.id, null) o on true
     where i.id = p_import and i.writer_id = app.session_writer()
  $$;

revoke all on function app.preview_follower_import(uuid) from public;
grant execute on function app.preview_follower_import(uuid) to svc_desk;
