set local role svc_publisher;

-- A receipt that comes back with its piece: not if it names a co-author who took back their name meanwhile.
create or replace function app.refuse_withdrawn_name() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if app.names_only(new.receipt, (select p.co_authors from pub.pieces p where p.id = new.piece_id)) then
    return new;
  end if;
  return null;
end
$$;

revoke all on function app.refuse_withdrawn_name() from public;
grant execute on function app.refuse_withdrawn_name() to svc_owner;
