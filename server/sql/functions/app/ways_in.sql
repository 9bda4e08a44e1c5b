set local role svc_owner;

-- What opens the account or shows its drafts: asked before a new password is set by a link.
create or replace function app.ways_in(p_token_hash bytea)
  returns table (kind text, id uuid, name text, created_at timestamptz, last_used_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := (app.live_token(p_token_hash, 'reset')).account_id;
begin
  return query
    select 'passkey', k.id, k.name, k.created_at, k.last_used_at from app.passkeys k where k.account_id = account
     union all
    select 'key', k.id, k.name || ' (' || k.head || '…' || k.tail || ')', k.created_at, k.last_used_at
      from app.api_keys k join app.writers w on w.id = k.writer_id
     where w.account_id = account and app.is_live_key(k)
     union all
    select 'link', l.id, l.headline, l.created_at, l.last_seen_at from app.private_links_of(account) l
     order by 1 desc, 4 desc, 2;
end
$$;

revoke all on function app.ways_in(bytea) from public;
grant execute on function app.ways_in(bytea) to svc_desk;
