set local role svc_owner;

-- What a writer sees of a decision. The moderators' names are not in it, and nothing of who reported.
create or replace function app.decisions_about_me(p_session_hash bytea, p_about uuid, p_decision uuid)
  returns table (id uuid, at timestamptz, act text, piece_id uuid, product_id uuid, headline text, to_status text,
                 category text, facts text, by_report boolean, appeal text, appealed_at timestamptz, outcome text,
                 answer text, decided_at timestamptz, appeal_until timestamptz, can_appeal boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, d.piece_id, d.product_id, d.headline, d.to_status, d.category, d.facts, d.by_report,
           d.appeal, d.appealed_at, d.outcome, d.answer, d.decided_at, app.appeal_until(d),
           d.appealed_at is null and d.outcome is null and app.appeal_until(d) > clock_timestamp()
      from app.decisions d join app.writers w on w.id = d.writer_id
     where w.account_id = session.account_id
       and (p_about is null or p_about in (d.piece_id, d.product_id)) and (p_decision is null or d.id = p_decision)
     order by d.at desc, d.id desc limit 100;
end
$$;

revoke all on function app.decisions_about_me(bytea, uuid, uuid) from public;
grant execute on function app.decisions_about_me(bytea, uuid, uuid) to svc_desk;
