set local role svc_owner;

-- Whether this person signed up, and fewer of their pieces than that were ever public and not taken down. Whom the
-- operator added is vouched for.
create or replace function app.is_new_writer(p_session_hash bytea, p_pieces integer) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.signed_up_at is not null and p_pieces > (
             select count(*) from (
               select from app.audit t join app.writers w on w.id = t.writer_id
                where w.account_id = a.id and t.act in ('publish', 'approve', 'take_down')
                group by t.piece_id having not bool_or(t.act = 'take_down')) good)
      from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.is_new_writer(bytea, integer) from public;
grant execute on function app.is_new_writer(bytea, integer) to svc_desk;
