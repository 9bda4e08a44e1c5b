set local role svc_owner;

-- For moderators: open appeals, the longest waiting first, or every decision, newest first. Not those about what is their
-- own. `p_decision` asks for one, with what was decided about.
create or replace function app.decisions_for_review(p_session_hash bytea, p_appeals boolean, p_decision uuid, p_from timestamptz,
                                         p_from_id uuid, p_limit integer)
  returns table (id uuid, at timestamptz, act text, piece_id uuid, product_id uuid, headline text, to_status text,
                 category text, facts text, by_report boolean, appeal text, appealed_at timestamptz, outcome text,
                 answer text, decided_at timestamptz, writer_slug text, writer_name text, moderator text, is_mine boolean,
                 decided_by text, can_reverse boolean, kept jsonb)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, d.piece_id, d.product_id, d.headline, d.to_status, d.category, d.facts, d.by_report,
           d.appeal, d.appealed_at, d.outcome, d.answer, d.decided_at, w.slug, w.name, m.name,
           d.moderator_id is not distinct from session.account_id, j.name,
           d.outcome is null and (d.act <> 'take_down' or d.kept is not null),
           case when p_decision is not null then d.kept end
      from app.decisions d join app.writers w on w.id = d.writer_id
      left join app.accounts m on m.id = d.moderator_id
      left join app.accounts j on j.id = d.decided_by
     where w.account_id is distinct from session.account_id
       and (p_decision is null or d.id = p_decision)
       and (not p_appeals or (d.appealed_at is not null and d.outcome is null and (d.appealed_at, d.id) > (p_from, p_from_id)))
       and (p_appeals or (d.at, d.id) < (p_from, p_from_id))
     order by case when p_appeals then d.appealed_at end, case when p_appeals then d.id end, d.at desc, d.id desc
     limit p_limit;
end
$$;

revoke all on function app.decisions_for_review(bytea, boolean, uuid, timestamp with time zone, uuid, integer) from public;
grant execute on function app.decisions_for_review(bytea, boolean, uuid, timestamp with time zone, uuid, integer) to svc_desk;
