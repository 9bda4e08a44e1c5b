set local role svc_owner;

-- Rows of a file that the signed-in writer has not agreed to yet, as a list of objects; bytes are in hex.
create or replace function app.add_follower_import_rows(p_import uuid, p_rows jsonb) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.follower_imports i
    where i.id = p_import and i.writer_id = app.session_writer() and i.agreed_at is null for key share;
  if not found then
    raise exception 'error.follower_import.expired' using errcode = 'SF410';
  end if;
  insert into app.follower_import_rows
  select p_import, r.position, r.reader, array(select decode(h, 'hex') from unnest(r.hashes) h), decode(r.sealed, 'hex'),
         decode(r.domain, 'hex'), r.frequency, r.consented_at, r.consent
    from jsonb_to_recordset(p_rows) as r (position integer, reader uuid, hashes text[], sealed text, domain text,
                                          frequency text, consented_at timestamptz, consent text);
end
$$;

revoke all on function app.add_follower_import_rows(uuid, jsonb) from public;
grant execute on function app.add_follower_import_rows(uuid, jsonb) to svc_desk;
