set local role svc_owner;

-- An actor by its id, by its author, or, without both, that of the site; also one that is switched off. An author's is on only
-- while they are public.
create or replace function pub.fediverse_actor(p_id uuid, p_author uuid)
  returns table (id uuid, author_id uuid, is_on boolean, public_key text, followers integer, since timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.id, a.writer_id,
           a.is_on and (a.writer_id is null or exists (select from pub.authors p where p.id = a.writer_id)),
           a.public_key, a.followers, a.created_at
      from app.fediverse_actors a
     where a.id = p_id or a.writer_id = p_author or (coalesce(p_id, p_author) is null and a.writer_id is null)
  $$;

revoke all on function pub.fediverse_actor(uuid, uuid) from public;
grant execute on function pub.fediverse_actor(uuid, uuid) to svc_public, svc_desk, svc_worker;
