set local role svc_publisher;

-- A suspended writer's name leaves the pieces of others, which stay public, and is there again when they are restored.
create or replace function app.show_suspended_co_author() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
begin
  if tg_op = 'DELETE' then
    writer := old.writer_id;
  else
    writer := new.writer_id;
  end if;
  update pub.pieces p set co_authors = null
   where p.id in (select c.piece_id from app.co_authors c where c.writer_id = writer and c.answer = 'agreed');
  return null;
end
$$;

revoke all on function app.show_suspended_co_author() from public;
grant execute on function app.show_suspended_co_author() to svc_owner;
