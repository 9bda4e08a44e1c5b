set local role svc_publisher;

-- The public profile of a writer who never published anything of their own, once their name is on no piece of others.
create or replace function app.hide_if_unseen(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  if exists (select from pub.authors a where a.id = p_writer and a.pieces_count = 0)
     and not exists (select from pub.products p where p.author_id = p_writer)
     and not exists (select from app.products p where p.writer_id = p_writer and p.listed_revision is not null)
     and exists (select from app.writers w where w.id = p_writer and w.published = 0) then
    delete from pub.former_slugs f where f.author_id = p_writer;
    delete from pub.authors a where a.id = p_writer;
  end if;
end
$$;

revoke all on function app.hide_if_unseen(uuid) from public;
