set local role svc_owner;

create or replace function app.refuse_suspended() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.suspensions s where s.writer_id = new.writer_id) then
    return new;
  end if;
  if tg_table_name = 'audit' and to_jsonb(new) ->> 'act' = 'approve' then
    raise exception 'The writer of this piece is suspended. Restore them under Writers first, then approve it.'
      using errcode = 'SF409';
  end if;
  raise exception 'You are suspended on this site, so you cannot write or publish. The reason is on your account page; write to the site if it is a mistake. You can still export your work.'
    using errcode = 'SF4SU';
end
$$;

revoke all on function app.refuse_suspended() from public;
