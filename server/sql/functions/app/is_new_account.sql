set local role svc_owner;

-- Whether this person signed up, and fewer of their pieces than that were ever public and not taken down. Whom the
-- operator added is vouched for.
create or replace function app.is_new_account(p_account uuid, p_pieces integer) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select a.signed_up_at is not null and p_pieces > (
             select count(*) from (
               select from app.audit t join app.writers w on w.id = t.writer_id
                where w.account_id = a.id and t.act in ('publish', 'approve', 'take_down')
                group by t.piece_id having not bool_or(t.act = 'take_down')) good)
      from app.accounts a where a.id = p_account
  $$;

revoke all on function app.is_new_account(uuid, integer) from public;
