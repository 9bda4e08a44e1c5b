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
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  if decision.id is null then
    raise exception 'There is no such decision. The list shows those there are.' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = decision.writer_id and w.account_id = session.account_id) then
    raise exception 'Nobody decides about their own work. Leave it to another moderator.' using errcode = 'SF403';
  end if;
  if decision.appealed_at is not null and decision.moderator_id = session.account_id then
    raise exception 'You made this decision, so somebody else decides its appeal: another moderator, or the operator with "standfirst appeal".'
      using errcode = 'SF403';
  end if;
  return app.settle_decision(decision, session, p_outcome, p_answer);
end
$$;

revoke all on function app.desk_decide_appeal(uuid, bytea, text, text) from public;
grant execute on function app.desk_decide_appeal(uuid, bytea, text, text) to svc_desk;
