set local role svc_owner;

-- What the signed-in writer imported, newest first.
create or replace function app.follower_imports_of_writer(p_most integer)
  returns table (id uuid, agreed_at timestamptz, statement text, file_hash text, row_count integer, added integer, asked integer,
                 known integer, ended integer, malformed integer, repeated integer, over_limit integer, bounced integer,
                 complained integer, is_finished boolean, is_stopped boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select i.id, i.agreed_at, i.statement, encode(i.file_hash, 'hex'), i.row_count, i.added, i.asked, i.known, i.ended,
           i.malformed, i.repeated, i.over_limit, i.bounced, i.complained, i.finished_at is not null, i.stopped_at is not null
      from app.follower_imports i
     where i.writer_id = app.session_writer() and i.agreed_at is not null
     order by i.agreed_at desc, i.id limit p_most
  $$;

revoke all on function app.follower_imports_of_writer(integer) from public;
grant execute on function app.follower_imports_of_writer(integer) to svc_desk;
