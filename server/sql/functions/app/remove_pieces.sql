set local role svc_publisher;

-- Some of a writer's pieces, public or not, with all that belongs to them, once the account is due to be deleted; answers
-- how many there were. Called until there are none, within one transaction: readers see all of it gone at once.
create or replace function app.remove_pieces(p_account uuid, p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  going uuid[];
begin
  perform app.lock_writer(w.id) from app.writers w where w.account_id = p_account;
  going := array(select p.id from app.pieces p join app.writers w on w.id = p.writer_id
                   join app.accounts a on a.id = w.account_id
                  where a.id = p_account and a.delete_at <= now() limit p_limit for update of p);
  delete from pub.piece_contents where piece_id = any (going);
  delete from pub.piece_texts where piece_id = any (going);
  delete from pub.pieces where id = any (going);
  delete from app.pieces where id = any (going);
  return cardinality(going);
end
$$;

revoke all on function app.remove_pieces(uuid, integer) from public;
grant execute on function app.remove_pieces(uuid, integer) to svc_worker;
