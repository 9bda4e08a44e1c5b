set local role svc_publisher;

-- Drafts made by keys are counted for the email to their writer; those in the trash are left out.
create or replace function app.pieces_begun(p_writer uuid, p_by_key boolean, p_since timestamptz) returns bigint
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select count(*) from app.pieces p
           where p.writer_id = p_writer and p.created_at > p_since
             and case when p_by_key then p.begun_by_key is not null and p.deleted_at is null
                      else p.begun_by_key is null and p.saved_by_account is not null end);
end
$$;

revoke all on function app.pieces_begun(uuid, boolean, timestamp with time zone) from public;
grant execute on function app.pieces_begun(uuid, boolean, timestamp with time zone) to svc_owner;
