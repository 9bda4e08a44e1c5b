-- A moderator who reads a reported piece has the reports beside it, and reporters get their answer.
--
-- Whoever left an address with a report gets one letter when a moderator decides. The desk takes the addresses in the
-- transaction that decides and orders the letters in it; with that they are gone from the reports.
--
-- Errors: SF401 no live session, SF403 no moderator.
--
-- Lock: none.

set local role svc_owner;

-- The open reports of one public piece, as app.open_reports shows them in the list. No row where there are none, or for
-- whoever wrote it.
create function app.reports_of(p_session_hash bytea, p_piece uuid)
  returns table (report_count bigint, reporter_count bigint, newest_at timestamptz, newest json)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select count(*), count(distinct o.reporter), max(o.at),
           (select json_agg(json_build_object('reason', r.reason, 'note', r.note, 'email', r.email, 'at', r.at)
                            order by r.at desc, r.id desc)
              from (select n.* from app.reports n where n.piece_id = p_piece and n.settled_at is null
                     order by n.at desc, n.id desc limit 20) r)
      from app.reports o
      join pub.pieces p on p.id = o.piece_id
      join app.writers w on w.id = p.author_id
     where o.piece_id = p_piece and o.settled_at is null and w.account_id is distinct from session.account_id
    having count(*) > 0;
end
$$;

revoke all on function app.reports_of(bytea, uuid) from public;
grant execute on function app.reports_of(bytea, uuid) to svc_desk;

-- The addresses of those whose reports of the piece are settled, each once however it is spelt, and no longer kept.
create function app.take_reporters(p_session_hash bytea, p_piece uuid) returns setof text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select distinct on (lower(r.email)) r.email from app.reports r
     where r.piece_id = p_piece and r.settled_at is not null and r.email is not null
     order by lower(r.email), r.id;
  update app.reports r set email = null
   where r.piece_id = p_piece and r.settled_at is not null and r.email is not null;
end
$$;

revoke all on function app.take_reporters(bytea, uuid) from public;
grant execute on function app.take_reporters(bytea, uuid) to svc_desk;
