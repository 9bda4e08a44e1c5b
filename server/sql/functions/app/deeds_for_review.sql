set local role svc_owner;

-- What moderators did, newest first, before the place that is given; nothing of it to whom it was done. The headline is
-- what is public now, or what readers had then; what they never had is its writer's.
create or replace function app.deeds_for_review(p_session_hash bytea, p_before timestamptz, p_before_id bigint, p_limit integer)
  returns table (id bigint, at timestamptz, act text, moderator text, piece_id uuid, headline text, writer_slug text,
                 writer_name text, note text, is_public boolean, listing text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, m.name, d.piece_id,
           coalesce(p.headline, case when d.piece_id is not null then app.headline_readers_had(d.piece_id, d.id / 4) end),
           w.slug, w.name, d.note, p.id is not null, s.slug
      from ((select t.id * 4 as id, t.at, t.act, t.account_id, t.piece_id, null::uuid as product_id, t.writer_id, t.note
               from app.audit t
              where t.act in ('approve', 'request_changes', 'reject', 'take_down', 'dismiss_reports', 'uphold', 'reinstate')
                and (t.at, t.id * 4) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)
            union all
            (select t.id * 4 + 1, t.at, t.act, t.account_id, null, null, t.writer_id, t.note from app.writer_audit t
              where t.act in ('verify_identity', 'withdraw_identity', 'suspend', 'restore')
                and (t.at, t.id * 4 + 1) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)
            union all
            (select t.id * 4 + 2, t.at, t.act, t.account_id, null, t.product_id, t.writer_id, t.note from app.product_audit t
              where t.act in ('withhold', 'dismiss_reports', 'uphold', 'reinstate')
                and (t.at, t.id * 4 + 2) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)
            union all
            (select t.version * 4 + 3, t.at, 'set_front_page', t.account_id, null, null, null, t.note
               from app.front_page_saves t
              where (t.at, t.version * 4 + 3) < (p_before, p_before_id)
              order by t.at desc, t.version desc limit p_limit)) d
      left join app.accounts m on m.id = d.account_id
      left join app.writers w on w.id = d.writer_id
      left join pub.pieces p on p.id = d.piece_id
      left join app.product_slugs s on s.product_id = d.product_id
     order by d.at desc, d.id desc
     limit p_limit;
end
$$;

revoke all on function app.deeds_for_review(bytea, timestamp with time zone, bigint, integer) from public;
grant execute on function app.deeds_for_review(bytea, timestamp with time zone, bigint, integer) to svc_desk;
