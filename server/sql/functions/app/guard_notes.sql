set local role svc_owner;

-- Rows of a trail stay as they are; what moderators wrote of a person goes when the person does.
create or replace function app.guard_notes() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user = 'svc_publisher' and new.note is null
     and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  raise insufficient_privilege using message = 'the audit trail is only ever added to';
end
$$;

revoke all on function app.guard_notes() from public;
