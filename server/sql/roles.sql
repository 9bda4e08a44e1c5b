-- The roles of the site. They belong to the whole cluster, not to one database,
-- so `migrate` applies this under a lock of its own, again and again, harmlessly.
--
-- svc_owner      owns every table and no data: row security is forced on it too
-- svc_publisher  owns the functions that make things public; nobody signs in as it
-- svc_public     reads schema pub, and nothing else
-- svc_api        what a writer's key may do: drafts
-- svc_desk       what a signed-in person may do: edit; publish through functions only
-- svc_worker     jobs

do $$
declare
  name        text;
  acts_by_set boolean := current_setting('server_version_num')::integer >= 160000;
begin
  foreach name in array array['svc_owner', 'svc_publisher'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I nologin', name);
    end if;
  end loop;
  foreach name in array array['svc_public', 'svc_api', 'svc_desk', 'svc_worker'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I login noinherit', name);
    end if;
  end loop;
  -- The role that migrates acts as each of them; a superuser may already. From PostgreSQL 16 on, having created a role
  -- is membership without the right to become it.
  if not (select rolsuper from pg_roles where rolname = current_user) then
    foreach name in array array['svc_owner', 'svc_publisher', 'svc_public', 'svc_api', 'svc_desk', 'svc_worker'] loop
      if not pg_has_role(current_user, name, case when acts_by_set then 'set' else 'member' end) then
        execute format('grant %I to %I', name, current_user);
      end if;
    end loop;
  end if;
end
$$;
