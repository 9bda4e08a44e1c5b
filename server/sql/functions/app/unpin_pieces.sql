set local role svc_publisher;

-- What is no longer public is no longer on the front page. Pins are locked in the order of app.desk_set_front_page.
create or replace function app.unpin_pieces() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from pub.front_page_pins f where f.piece_id in (select g.id from gone g) order by f.place for update;
  delete from pub.front_page_pins f where f.piece_id in (select g.id from gone g);
  return null;
end
$$;

revoke all on function app.unpin_pieces() from public;
grant execute on function app.unpin_pieces() to svc_owner;
