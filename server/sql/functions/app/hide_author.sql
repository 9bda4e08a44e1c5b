set local role svc_publisher;

-- What is public of the writer besides their pieces, their shop included.
create or replace function app.hide_author(p_writer uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  delete from pub.products where author_id = p_writer;
  delete from app.products where writer_id = p_writer;
  delete from pub.former_slugs where author_id = p_writer;
  delete from pub.authors where id = p_writer;
  update app.audit set note = null where writer_id = p_writer and note is not null;
  update app.product_audit set note = null where writer_id = p_writer and note is not null;
  update app.writer_audit set note = null where writer_id = p_writer and note is not null;
  insert into app.writer_audit (act, writer_id) values ('leave', p_writer);
end
$$;

revoke all on function app.hide_author(uuid) from public;
grant execute on function app.hide_author(uuid) to svc_owner;
