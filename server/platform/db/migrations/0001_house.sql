-- Two wings under one roof: `app` is private, `pub` holds only what is public.
--
-- A public process can read `pub` and has no right on `app`, so a draft cannot
-- leak through a bug, an injection, a count or a cache.
--
-- Lock: none that matters; the schemas are new.

do $$
begin
  execute format('revoke temporary, create on database %I from public', current_database());
  execute format('grant connect on database %I to svc_public, svc_api, svc_desk, svc_worker', current_database());
end
$$;

revoke create on schema public from public;

-- Trigram search. It stays in `public`, whose objects all roles may use and none may add to.
create extension if not exists pg_trgm with schema public;

create schema app authorization svc_owner;
create schema pub authorization svc_owner;

grant usage on schema app to svc_api, svc_desk, svc_worker, svc_publisher;
grant usage on schema pub to svc_public, svc_publisher;
