set local role svc_owner;

-- At most `p_most` deliveries to make now, each with a lease, to hosts that fail or to those that do not. A host gets no more at
-- once than it takes. Of an object: the Create until it has arrived, then changes, and the Delete once the piece has gone.
create or replace function app.claim_fediverse_deliveries(p_most integer, p_doubted boolean)
  returns table (id uuid, lease_token uuid, activity_id uuid, activity_kind text, kind text, actor_id uuid, is_on boolean,
                 piece_id uuid, number smallint, document jsonb, inbox text, signature text, attempts smallint,
                 doubted boolean, late double precision)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  lease     constant interval := '60 seconds';
  moment    timestamptz := clock_timestamp();
  left_over integer := p_most;
  server    app.fediverse_hosts;
  free      integer;
  taken     integer;
begin
  for server in
    select h.* from app.fediverse_hosts h
     where h.ready_at <= moment and (h.failures > 0) = p_doubted
     order by h.ready_at limit p_most for no key update skip locked
  loop
    exit when left_over <= 0;
    if app.is_blocked_server(server.host) then
      delete from app.fediverse_deliveries d where d.host = server.host;
    end if;
    -- Of a worker that has ended.
    update app.fediverse_deliveries d set lease_token = null
     where d.host = server.host and d.lease_token is not null and d.due_at <= moment;
    -- What never got a piece need not delete it, and a piece that has gone is not shown.
    delete from app.fediverse_deliveries d
     using app.fediverse_activities a join app.fediverse_objects o on o.id = a.object_id
     where d.host = server.host and d.due_at <= moment and a.id = d.activity_id and o.has_gone
       and (d.has = 'nothing' or d.object_id is null);
    free := least(left_over, server.width - (select count(*) from app.fediverse_deliveries d
                                              where d.host = server.host and d.lease_token is not null));
    if free > 0 and coalesce(server.rests_until <= moment, true) then
      -- Found once, as in app.claim_reader_emails.
      return query
        with next as materialized (
          select n.id, n.due_at, n.has from app.fediverse_deliveries n
           where n.host = server.host and n.lease_token is null and n.due_at <= moment
           order by n.due_at limit free
        ), claimed as (
          update app.fediverse_deliveries d set
            lease_token = gen_random_uuid(), due_at = moment + lease, attempts = d.attempts + 1,
            claimed_at = case when d.attempts = 0 then moment else d.claimed_at end,
            has = case when d.object_id is not null and d.has = 'nothing' then 'perhaps' else d.has end,
            first_tried = case when d.object_id is not null and d.has = 'nothing' then d.activity_id else d.first_tried end
           where d.id = any (array(select n.id from next n))
          returning d.*
        )
        select c.id, c.lease_token, a.id, a.kind,
               case when c.object_id is null then a.kind when o.has_gone then 'delete'
                    when n.has = 'something' then 'update' else 'create' end,
               s.id, s.is_on, o.piece_id, o.number, a.document, c.inbox, server.signature, c.attempts,
               server.failures > 0, extract(epoch from moment - n.due_at)::double precision
          from claimed c join next n on n.id = c.id
               join app.fediverse_activities a on a.id = c.activity_id
               join app.fediverse_actors s on s.id = a.actor_id
               left join app.fediverse_objects o on o.id = a.object_id;
      get diagnostics taken = row_count;
      left_over := left_over - taken;
    end if;
    perform app.line_up_fediverse_host_again(server.host);
  end loop;
end
$$;

revoke all on function app.claim_fediverse_deliveries(integer, boolean) from public;
grant execute on function app.claim_fediverse_deliveries(integer, boolean) to svc_worker;
