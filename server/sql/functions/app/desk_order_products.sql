set local role svc_publisher;

-- All of a writer's listings in their order, public ones in public too.
create or replace function app.desk_order_products(p_session_hash bytea, p_products uuid[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
begin
  select w.id into writer
    from app.writers w join app.sessions s on s.account_id = w.account_id where s.token_hash = p_session_hash;
  perform app.lock_writer(writer);
  perform app.signed_in(p_session_hash);
  if array(select p.id from app.products p where p.writer_id = writer order by p.id)
     is distinct from array(select p.id from unnest(p_products) p(id) order by p.id) then
    raise exception 'error.listings_changed' using errcode = 'SF400';
  end if;
  update app.products p set position = o.place
    from unnest(p_products) with ordinality o(id, place) where p.id = o.id and p.position <> o.place;
  update pub.products p set position = o.place
    from unnest(p_products) with ordinality o(id, place) where p.id = o.id and p.position <> o.place;
end
$$;

revoke all on function app.desk_order_products(bytea, uuid[]) from public;
grant execute on function app.desk_order_products(bytea, uuid[]) to svc_desk;
