set local role svc_owner;

-- What was imported, and the date it had, are stated once: by the writer who imports it, at the desk.
create or replace function app.guard_import() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'only a person imports a piece with its date, at the desk, through the desk functions';
  end if;
  if tg_op = 'UPDATE' and ((new.piece_id, new.writer_id, new.service, new.original_at, new.imported_at, new.notes)
                           is distinct from
                           (old.piece_id, old.writer_id, old.service, old.original_at, old.imported_at, old.notes)
                           or old.published_at is not null) then
    raise insufficient_privilege using message = 'the date that a piece was imported with stays';
  end if;
  return new;
end
$$;

revoke all on function app.guard_import() from public;
