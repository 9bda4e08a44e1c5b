set local role svc_publisher;

-- How the person of a session had shown who they are when they used the nonce of this revision, for its receipt.
create or replace function app.proof_of(p_session uuid, p_piece uuid, p_revision integer) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select jsonb_build_object(
             'method', case when n.proved_at is null then s.authenticated_by else 'passkey' end,
             'seconds', greatest(floor(extract(epoch from
                clock_timestamp() - coalesce(n.proved_at, s.authenticated_at))), 0)::integer,
             'of_this_revision', n.proved_at is not null)
      from app.sessions s
      left join app.publish_nonces n on n.session_id = s.id and n.piece_id = p_piece
       and n.revision = p_revision and n.used_at is not null
     where s.id = p_session
     order by n.used_at desc limit 1
  $$;

revoke all on function app.proof_of(uuid, uuid, integer) from public;
