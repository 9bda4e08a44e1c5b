set local role svc_publisher;

-- Whether nothing has overtaken the decision: no other was made about the same since, and its writer has not made it
-- public in the meantime.
create or replace function app.is_last_word(p_decision app.decisions) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select not exists (select from app.decisions d
                        where d.id <> p_decision.id and d.at > p_decision.at
                          and (d.piece_id = p_decision.piece_id or d.product_id = p_decision.product_id))
       and not exists (select from app.audit t
                        where t.piece_id = p_decision.piece_id and t.at > p_decision.at and t.to_status = 'approved')
  $$;

revoke all on function app.is_last_word(app.decisions) from public;
