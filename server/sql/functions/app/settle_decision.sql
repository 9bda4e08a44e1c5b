set local role svc_publisher;

create or replace function app.settle_decision(p_decision app.decisions, p_session app.sessions, p_outcome text, p_answer text)
  returns app.settled
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  is_public boolean := false;
  answer    app.settled;
begin
  if p_decision.outcome is not null then
    raise exception 'error.already_decided' using errcode = 'SF409';
  end if;
  if p_outcome is null or p_outcome <> all (array['upheld', 'reversed']) then
    raise exception 'error.outcome_missing' using errcode = 'SF400';
  end if;
  if p_outcome = 'upheld' and p_decision.appealed_at is null then
    raise exception 'error.not_appealed' using errcode = 'SF409';
  end if;
  if p_outcome = 'reversed' and p_decision.act = 'take_down' and p_decision.kept is null then
    raise exception 'error.content_expired' using errcode = 'SF410';
  end if;
  update app.decisions set outcome = p_outcome, answer = p_answer, decided_by = p_session.account_id,
                           decided_at = date_trunc('milliseconds', clock_timestamp())
   where id = p_decision.id;
  if p_outcome = 'reversed' then
    is_public := app.bring_back(p_decision, p_session, p_answer);
  else
    perform app.trail_decision(p_decision, p_session, 'uphold', p_answer);
  end if;
  update app.decisions set kept = null where id = p_decision.id;
  select p_decision.piece_id, p_decision.product_id, w.slug, is_public, p_decision.appealed_at is not null into answer
    from app.writers w where w.id = p_decision.writer_id;
  return answer;
end
$$;

revoke all on function app.settle_decision(app.decisions, app.sessions, text, text) from public;
