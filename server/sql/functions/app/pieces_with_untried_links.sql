set local role svc_publisher;

-- For the worker: pieces that became public in another way than by publishing, as after an appeal.
create or replace function app.pieces_with_untried_links() returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query select distinct c.piece_id from pub.link_cards c where c.tried_at is null limit 100;
end
$$;

revoke all on function app.pieces_with_untried_links() from public;
grant execute on function app.pieces_with_untried_links() to svc_worker;
