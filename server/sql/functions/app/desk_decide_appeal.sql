set local role svc_publisher;

create or replace function app.desk_decide_appeal(p_decision uuid, p_session_hash bytea, p_outcome text, p_answer text)
  returns app.settled
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions := app.locked_decision(p_decision);
  session  app.sessions := app.signed_in(p_session_hash);
begin
  if not app.moderates(session) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  if decision.id is null then
    raise exception 'error.decision_not_found' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = decision.writer_id and w.account_id = session.account_id) then
    raise exception 'error.own_decision' using errcode = 'SF403';
  end if;
  if decision.appealed_at is not null and decision.moderator_id = session.account_id then
    raise exception 'error.own_appeal' using errcode = 'SF403';
  end if;
  return app.settle_decision(decision, session, p_outcome, p_answer);
end
$$;

revoke all on function app.desk_decide_appeal(uuid, bytea, text, text) from public;
grant execute on function app.desk_decide_appeal(uuid, bytea, text, text) to svc_desk;
