set local role svc_owner;

-- A provider reports, with a valid signature, that an email came back or was reported as spam. False if it had said so before.
create or replace function app.note_provider_report(p_report bytea, p_email uuid, p_kind text) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.provider_reports (id) values (p_report) on conflict do nothing;
  if not found then
    return false;
  end if;
  perform app.note_bounce(p_email, p_kind);
  return true;
end
$$;

revoke all on function app.note_provider_report(bytea, uuid, text) from public;
grant execute on function app.note_provider_report(bytea, uuid, text) to svc_desk;
