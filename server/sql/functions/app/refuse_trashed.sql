set local role svc_publisher;

-- No page or link of what was deleted meanwhile. The row of the piece is locked by the transaction that deletes it.
create or replace function app.refuse_trashed() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.pieces p where p.id = new.piece_id and p.deleted_at is not null) then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  return new;
end
$$;

revoke all on function app.refuse_trashed() from public;
grant execute on function app.refuse_trashed() to svc_owner;
