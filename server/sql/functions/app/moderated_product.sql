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
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  if product.id is null then
    raise exception 'There is no such listing. The queue shows those that are reported.' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = product.writer_id and w.account_id = session.account_id) then
    raise exception 'Nobody judges their own listing. Leave it to another moderator.' using errcode = 'SF403';
  end if;
end
$$;

revoke all on function app.moderated_product(uuid, bytea) from public;
