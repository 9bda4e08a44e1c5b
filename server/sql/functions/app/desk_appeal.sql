set local role svc_publisher;

create or replace function app.desk_appeal(p_decision uuid, p_session_hash bytea, p_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions;
  session  app.sessions;
begin
  select d.* into decision from app.decisions d where d.id = p_decision for update;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = decision.writer_id and w.account_id = session.account_id) then
    raise exception 'error.decision_not_found' using errcode = 'SF404';
  end if;
  if decision.appealed_at is not null then
    raise exception 'error.already_appealed' using errcode = 'SF409';
  end if;
  if decision.outcome is not null then
    raise exception 'error.already_reversed' using errcode = 'SF409';
  end if;
  if app.appeal_until(decision) < clock_timestamp() then
    raise exception 'error.appeal_expired' using errcode = 'SF410';
  end if;
  update app.decisions set appeal = p_text, appealed_at = date_trunc('milliseconds', clock_timestamp())
   where id = decision.id;
  perform app.trail_decision(decision, session, 'appeal', null);
end
$$;

revoke all on function app.desk_appeal(uuid, bytea, text) from public;
grant execute on function app.desk_appeal(uuid, bytea, text) to svc_desk;
