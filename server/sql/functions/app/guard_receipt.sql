set local role svc_publisher;

create or replace function app.guard_receipt() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from pub.receipts r
              where r.piece_id = new.piece_id and (r.signature is null or r.key_id is null or not r.receipt ? 'content')) then
    raise exception 'a receipt was ordered and not signed' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

revoke all on function app.guard_receipt() from public;
grant execute on function app.guard_receipt() to svc_owner;
