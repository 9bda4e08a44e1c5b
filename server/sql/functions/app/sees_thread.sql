set local role svc_publisher;

-- Which threads a person sees at the desk, by their role and by who began it. Moderators and the writer share those of the
-- review, co-authors and the writer those of the two; what holders of a private link said is the writer's.
create or replace function app.sees_thread(p_role text, p_begun_by text) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case p_role
      when 'writer' then true
      when 'co_author' then p_begun_by in ('writer', 'co_author')
      when 'moderator' then p_begun_by = 'moderator'
      else false
    end
  $$;

revoke all on function app.sees_thread(text, text) from public;
