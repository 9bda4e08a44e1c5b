set local role svc_publisher;

create or replace function app.private_links_of(p_account uuid)
  returns table (id uuid, headline text, created_at timestamptz, last_seen_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select v.id, p.headline, v.created_at, v.last_seen_at
      from app.previews v join app.pieces p on p.id = v.piece_id
     where v.account_id = p_account and v.revision is null and v.expires_at > clock_timestamp()
     order by v.created_at desc limit 500
  $$;

revoke all on function app.private_links_of(uuid) from public;
grant execute on function app.private_links_of(uuid) to svc_owner;
