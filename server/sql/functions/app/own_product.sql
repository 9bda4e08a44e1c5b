set local role svc_publisher;

-- Locked, if it is live and theirs: the writer first, then the listing, then the session, which may have ended meanwhile.
create or replace function app.own_product(p_product uuid, p_session_hash bytea, out product app.products, out session app.sessions)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.id = p_product;
  select p.* into product from app.products p where p.id = p_product for update;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = product.writer_id and w.account_id = session.account_id) then
    raise exception 'error.listing_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.own_product(uuid, bytea) from public;
