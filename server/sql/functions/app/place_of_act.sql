set local role svc_owner;

-- The place of the session that acts, or what the desk says of a visitor who has none.
create or replace function app.place_of_act(p_account uuid) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(
      (select jsonb_build_object('address', s.address, 'browser', s.user_agent)
         from app.sessions s where s.id = app.noted_session() and s.account_id = p_account),
      convert_from(app.acting_hash('app.visitor'), 'UTF8')::jsonb,
      '{}')
  $$;

revoke all on function app.place_of_act(uuid) from public;
