set local role svc_owner;

-- For the worker: what the email says and where it goes; no row for an account that was deleted.
create or replace function app.decision_email(p_decision uuid, p_to text)
  returns table (email text, act text, headline text, to_status text, category text, facts text, by_report boolean,
                 was_appealed boolean, outcome text, answer text, appeal_until timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.email, d.act, d.headline, d.to_status, d.category, d.facts, d.by_report, d.appealed_at is not null,
           d.outcome, d.answer, app.appeal_until(d)
      from app.decisions d
      left join app.writers w on w.id = d.writer_id
      join app.accounts a on a.id = case p_to when 'writer' then w.account_id else d.moderator_id end
     where d.id = p_decision and a.disabled_at is null
  $$;

revoke all on function app.decision_email(uuid, text) from public;
grant execute on function app.decision_email(uuid, text) to svc_worker;
