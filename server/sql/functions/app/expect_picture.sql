set local role svc_owner;

-- For the worker, before it stores a picture: if it gets no further, the next sweep deletes the bytes.
create or replace function app.expect_picture(p_hash text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.media_gone (hash) values (p_hash) on conflict do nothing;
end
$$;

revoke all on function app.expect_picture(text) from public;
grant execute on function app.expect_picture(text) to svc_worker;
