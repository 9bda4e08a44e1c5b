set local role svc_owner;

create or replace function search.note_piece() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    insert into search.changes (piece_id) select piece_id from gone on conflict do nothing;
  end if;
  if tg_op = 'DELETE' then
    delete from search.waiting w using gone where w.piece_id = gone.piece_id;
  else
    insert into search.waiting as w (piece_id, published_at, since)
    select piece_id, published_at, clock_timestamp() from come
    on conflict (piece_id) do update set published_at = excluded.published_at, since = excluded.since;
  end if;
  return null;
end
$$;

revoke all on function search.note_piece() from public;
