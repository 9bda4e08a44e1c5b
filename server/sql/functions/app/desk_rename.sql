set local role svc_publisher;

create or replace function app.desk_rename(p_session_hash bytea, p_slug text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine    app.writers := app.own_writer(p_session_hash);
  session app.sessions := app.signed_in(p_session_hash);
begin
  if mine.slug = p_slug then
    return;
  end if;
  if not app.is_free_slug(p_slug) then
    raise exception 'error.slug_invalid' using errcode = 'SF400';
  end if;
  -- One at a time for each look: two who want addresses alike cannot both have theirs.
  perform pg_advisory_xact_lock(hashtextextended(app.slug_skeleton(p_slug), 4));
  if app.is_slug_taken(p_slug, mine.id) then
    raise exception 'error.slug_taken' using errcode = 'SF4ST';
  end if;
  if (select count(*) from app.writer_audit t
       where t.writer_id = mine.id and t.act = 'rename' and t.at > clock_timestamp() - interval '1 day') >= :renames_per_day then
    raise exception 'error.renames_per_day' using errcode = 'SF419', detail = '{"limit":5}';
  end if;
  perform app.rename_writer(mine.id, p_slug, session);
  perform app.show_if_public(mine.id);
exception
  when unique_violation then
    raise exception 'error.slug_taken' using errcode = 'SF4ST';
end
$$;

revoke all on function app.desk_rename(bytea, text) from public;
grant execute on function app.desk_rename(bytea, text) to svc_desk;
