set local role svc_publisher;

-- Whatever changes consent, order or the account of a co-author: readers see it at once. A profile that only this name had
-- made public is hidden with it.
create or replace function app.show_co_author() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  changed app.co_authors;
begin
  if tg_op = 'DELETE' then
    changed := old;
  else
    changed := new;
  end if;
  update pub.pieces p set co_authors = null
   where p.id = changed.piece_id and p.author_id = changed.invited_by
     and p.co_authors is distinct from app.co_authors_of(p.id, p.author_id);
  if tg_op = 'UPDATE' and old.answer = 'agreed' and new.answer is distinct from 'agreed' then
    perform app.hide_if_unseen(new.writer_id);
  end if;
  return null;
end
$$;

revoke all on function app.show_co_author() from public;
grant execute on function app.show_co_author() to svc_owner;
