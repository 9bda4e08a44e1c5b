set local role svc_owner;

-- The addresses of those whose reports are settled, each once however it is spelt, and no longer kept.
create or replace function app.take_reporters(p_session_hash bytea, p_kind text, p_id uuid) returns setof text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    with answered as (
      select r.id, r.email from app.reports r
       where ((p_kind = 'piece' and r.piece_id = p_id) or (p_kind = 'listing' and r.product_id = p_id))
         and r.settled_at is not null and r.email is not null
    ), forgotten as (
      update app.reports r set email = null from answered a where r.id = a.id
    )
    select distinct on (lower(a.email)) a.email from answered a order by lower(a.email), a.id;
end
$$;

revoke all on function app.take_reporters(bytea, text, uuid) from public;
grant execute on function app.take_reporters(bytea, text, uuid) to svc_desk;
