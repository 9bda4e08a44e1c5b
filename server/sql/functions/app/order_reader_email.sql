set local role svc_owner;

-- A confirmation or a welcome.
create or replace function app.order_reader_email(p_reader uuid, p_domain bytea, p_kind text, p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  due timestamptz := app.reader_email_due(p_kind, clock_timestamp());
begin
  if p_kind = 'confirm' and exists (select from app.reader_emails e
                                     where e.reader_id = p_reader and e.kind = 'confirm' and e.state = 'pending') then
    return;
  end if;
  insert into app.reader_emails (reader_id, kind, writer_id, domain_hash, due_at)
  values (p_reader, p_kind, p_writer, p_domain, due)
  on conflict do nothing;
  perform app.line_up_emails(p_domain, due);
end
$$;

revoke all on function app.order_reader_email(uuid, bytea, text, uuid) from public;
