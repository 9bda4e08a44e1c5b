set local role svc_owner;

-- When an email is due that could be sent now: confirmations and welcomes before all that waits, since a person does.
create or replace function app.reader_email_due(p_kind text, p_now timestamptz) returns timestamptz
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select case when p_kind in ('confirm', 'welcome') then p_now - interval '1 day' else p_now end $$;

revoke all on function app.reader_email_due(text, timestamptz) from public;
