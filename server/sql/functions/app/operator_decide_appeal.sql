set local role svc_publisher;

-- By the operator, with the owner's credential, where there is no other moderator.
create or replace function app.operator_decide_appeal(p_decision uuid, p_outcome text, p_answer text) returns app.settled
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions := app.locked_decision(p_decision);
begin
  if decision.appealed_at is null then
    raise exception 'error.appeal_not_found' using errcode = 'SF404';
  end if;
  return app.settle_decision(decision, null, p_outcome, p_answer);
end
$$;

revoke all on function app.operator_decide_appeal(uuid, text, text) from public;
grant execute on function app.operator_decide_appeal(uuid, text, text) to svc_owner;
