set local role svc_owner;

-- The signed-in writer states that these readers agreed. It needs a recent sign-in and is in the security history. False if
-- that was done before.
create or replace function app.agree_to_follower_import(p_import uuid, p_network text, p_sealed_network bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.freshly_signed_in(app.acting_hash('app.session_hash'));
  moment  timestamptz := clock_timestamp();
  today   timestamptz := moment - interval '1 day';
  import  app.follower_imports;
begin
  perform from app.writers w where w.id = app.session_writer() for no key update;
  select i.* into import from app.follower_imports i where i.id = p_import and i.writer_id = app.session_writer() for update;
  if not found then
    raise exception 'error.follower_import.expired' using errcode = 'SF410';
  elsif import.agreed_at is not null then
    return false;
  elsif import.uploaded_at < moment - interval :'follower_preview_lifetime'
        or exists (select from app.follower_imports i where i.writer_id = import.writer_id and i.uploaded_at > import.uploaded_at) then
    raise exception 'error.follower_import.expired' using errcode = 'SF410';
  elsif exists (select from app.follower_imports i where i.writer_id = import.writer_id and i.stopped_at is not null) then
    raise exception 'error.follower_import.stopped' using errcode = 'SF409';
  elsif (select count(*) from app.follower_imports i where i.writer_id = import.writer_id and i.agreed_at > today)
        >= :follower_imports_per_day then
    raise exception 'error.follower_import.too_many'
      using errcode = 'SF419', detail = json_build_object('limit', :follower_imports_per_day)::text;
  end if;
  update app.follower_imports i set
    agreed_at = moment, agreed_in = session.id, agreed_from = p_sealed_network, network = app.reporter_hash(p_network)
   where i.id = p_import;
  perform app.record_event(session.account_id, 'followers_imported',
                           jsonb_build_object('count', import.row_count, 'file', encode(import.file_hash, 'hex')));
  return true;
end
$$;

revoke all on function app.agree_to_follower_import(uuid, text, bytea) from public;
grant execute on function app.agree_to_follower_import(uuid, text, bytea) to svc_desk;
