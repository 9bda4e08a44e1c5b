set local role svc_publisher;

-- Whether this person is a co-author of the piece who agreed: one whom its readers would see named. Being suspended ends it.
create or replace function app.is_co_author(p_piece uuid, p_account uuid) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.pieces p join app.writers w on w.id = any (app.co_authors_of(p.id, p.writer_id))
                    where p.id = p_piece and p.deleted_at is null and w.account_id = p_account)
  $$;

revoke all on function app.is_co_author(uuid, uuid) from public;
-- An email about comments leads to the page of who gets it.
grant execute on function app.is_co_author(uuid, uuid) to svc_worker;
