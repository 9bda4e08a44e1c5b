set local role svc_owner;

-- What the account's own page shows.
create or replace function app.account_of(p_session_hash bytea)
  returns table (has_password boolean, passkeys integer, drafts_letter boolean, wanted_email text,
                 wanted_at timestamptz, former_email text, undo_until timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.password_proof is not null,
           (select count(*)::integer from app.passkeys k where k.account_id = a.id), a.drafts_letter,
           case when c.confirmed_at is null then c.email end, case when c.confirmed_at is null then c.asked_at end,
           case when c.confirmed_at is not null then c.former_email end,
           case when c.confirmed_at is not null then c.expires_at end
      from app.accounts a
      left join app.email_changes c on c.account_id = a.id and c.expires_at > clock_timestamp()
     where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.account_of(bytea) from public;
grant execute on function app.account_of(bytea) to svc_desk;
