set local role svc_owner;

-- The addresses of those who follow the signed-in writer, for that writer alone, with the record of their consent. It needs a
-- recent sign-in and is in the security history of the account.
create or replace function app.export_followers()
  returns table (reader_id uuid, sealed_address bytea, frequency text, asked_at timestamptz, confirmed_at timestamptz, consent text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session   app.sessions := app.freshly_signed_in(app.acting_hash('app.session_hash'));
  followers integer;
begin
  return query
    select r.id, r.sealed_address, f.frequency, f.asked_at, f.confirmed_at, f.consent
      from app.follows f join app.readers r on r.id = f.reader_id
     where f.subject = 'author:' || app.session_writer() and f.confirmed_at is not null
     order by f.confirmed_at, r.id;
  get diagnostics followers = row_count;
  perform app.record_event(session.account_id, 'followers_exported', jsonb_build_object('count', followers));
end
$$;

revoke all on function app.export_followers() from public;
grant execute on function app.export_followers() to svc_desk;
