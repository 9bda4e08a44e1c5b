set local role svc_owner;

-- Orders emails of pieces that become public for the first time, in the transaction that publishes them. Those that come back
-- or arrive from elsewhere with an earlier date are not news; emails that waited for one that had gone are sent after all.
create or replace function app.announce_pieces() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  domain record;
begin
  insert into app.announcements (piece_id, published_at)
  select s.id, s.published_at from shown s
   where s.arrived_at is null and s.published_at > clock_timestamp() - interval '1 day'
  on conflict (piece_id) do nothing;
  for domain in
    with revived as (
      update app.reader_emails e set state = 'pending', ended_at = null
        from shown s where e.piece_id = s.id and e.state = 'cancelled'
      returning e.domain_hash, e.due_at
    )
    select r.domain_hash, min(r.due_at) as due_at from revived r group by 1 order by 1
  loop
    perform app.line_up_emails(domain.domain_hash, domain.due_at);
  end loop;
  return null;
end
$$;

revoke all on function app.announce_pieces() from public;
