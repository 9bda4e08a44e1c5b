set local role svc_publisher;

-- The listing, for this act alone until it is done; the session, of a moderator who does not sell it.
create or replace function app.moderated_product(p_product uuid, p_session_hash bytea, out product app.products,
                                      out session app.sessions)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.id = p_product;
  select p.* into product from app.products p where p.id = p_product for update;
  session := app.signed_in(p_session_hash);
  if not app.moderates(session) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  if product.id is null then
    raise exception 'error.listing_not_found' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = product.writer_id and w.account_id = session.account_id) then
    raise exception 'error.own_listing' using errcode = 'SF403';
  end if;
end
$$;

revoke all on function app.moderated_product(uuid, bytea) from public;
