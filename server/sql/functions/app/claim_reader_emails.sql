set local role svc_owner;

-- At most `p_most` emails to send now, each with a lease: confirmations and welcomes, new pieces that are still public, and
-- digests of which no announcement is under way. A domain gets no more at once than it takes.
create or replace function app.claim_reader_emails(p_most integer)
  returns table (id uuid, lease_token uuid, reader_id uuid, sealed_address bytea, language text, kind text, piece_id uuid,
                 period date, writer_id uuid, attempts smallint, late double precision)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  lease     constant interval := '2 minutes';
  moment    timestamptz := clock_timestamp();
  left_over integer := p_most;
  domain    app.mail_domains;
  free      integer;
  taken     integer;
begin
  for domain in
    select d.* from app.mail_domains d where d.ready_at <= moment order by d.ready_at limit p_most
       for no key update skip locked
  loop
    exit when left_over <= 0;
    -- Of a worker that has ended.
    update app.reader_emails e set lease_token = null
     where e.domain_hash = domain.domain_hash and e.lease_token is not null and e.due_at <= moment;
    select domain.width - count(*) into free from app.reader_emails e
     where e.domain_hash = domain.domain_hash and e.lease_token is not null;
    -- Those of a piece that is gone wait for its return.
    update app.reader_emails e set state = 'cancelled', ended_at = moment
     where e.domain_hash = domain.domain_hash and e.state = 'pending' and e.lease_token is null and e.due_at <= moment
       and e.piece_id is not null and not exists (select from pub.pieces p where p.id = e.piece_id);
    if free > 0 and coalesce(domain.rests_until <= moment, true) then
      return query
        -- Found once, whatever the planner knows of the table: joined to it, the search was repeated for each of its rows
        -- while statistics were those of an empty table.
        with next as materialized (
          select n.id, n.due_at, r.sealed_address, r.language
            from app.reader_emails n join app.readers r on r.id = n.reader_id
           where n.domain_hash = domain.domain_hash and n.state = 'pending' and n.lease_token is null
             and n.due_at <= moment and r.suppressed_at is null
             and not exists (select from app.announcements a
                              where a.done_at is null and n.period is not null
                                and n.period = case n.kind when 'daily' then a.daily else a.weekly end
                                and exists (select from pub.pieces p where p.id = a.piece_id))
           order by n.due_at limit least(left_over, free)
        ), claimed as (
          update app.reader_emails e set
            lease_token = gen_random_uuid(), due_at = moment + lease, attempts = e.attempts + 1
           where e.id = any (array(select n.id from next n))
          returning e.*
        )
        select c.id, c.lease_token, c.reader_id, n.sealed_address, n.language, c.kind, c.piece_id, c.period, c.writer_id,
               c.attempts, extract(epoch from moment - n.due_at)::double precision
          from claimed c join next n on n.id = c.id;
      get diagnostics taken = row_count;
      left_over := left_over - taken;
    end if;
    perform app.line_up_emails_again(domain.domain_hash);
  end loop;
end
$$;

revoke all on function app.claim_reader_emails(integer) from public;
grant execute on function app.claim_reader_emails(integer) to svc_worker;
