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
    raise exception 'error.piece_author_suspended' using errcode = 'SF409';
  end if;
  raise exception 'error.suspended' using errcode = 'SF4SU';
end
$$;

revoke all on function app.refuse_suspended() from public;
