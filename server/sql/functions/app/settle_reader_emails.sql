set local role svc_owner;

-- What became of emails, as a list of objects: id, token, outcome and, for one that is tried again, wait in seconds.
--   sent         a server took it
--   later        a server did not take it now: its domain rests, and gets one at a time. Given up if there is no wait.
--   interrupted  no server answered for it: tried again like that, but its domain is not concerned
--   unsent       the mail server is away: it is due as before, and this was no attempt
--   refused      the address takes no email: its reader gets none any more
--   cancelled    there was nothing to say
--   failed       nothing can be sent
-- A worker whose lease was taken over changes nothing.
create or replace function app.settle_reader_emails(p_met jsonb) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := clock_timestamp();
  met    record;
  domain bytea;
begin
  for met in
    select m.*, e.domain_hash, e.reader_id,
           m.outcome = 'unsent' or m.outcome in ('later', 'interrupted') and m.wait is not null as is_tried_again
      from jsonb_to_recordset(p_met) as m (id uuid, token uuid, outcome text, wait double precision)
           join app.reader_emails e on e.id = m.id
     order by e.domain_hash, m.id
  loop
    if met.domain_hash is distinct from domain then
      if domain is not null then
        perform app.line_up_emails_again(domain);
      end if;
      domain := met.domain_hash;
      perform from app.mail_domains d where d.domain_hash = domain for no key update;
    end if;
    update app.reader_emails e set
      state = case when met.is_tried_again then 'pending' when met.outcome in ('sent', 'cancelled') then met.outcome
                   else 'failed' end,
      due_at = case when met.outcome = 'unsent' then app.reader_email_due(e.kind, moment)
                    when met.is_tried_again then moment + make_interval(secs => met.wait) else e.due_at end,
      attempts = e.attempts - (met.outcome = 'unsent')::integer,
      ended_at = case when not met.is_tried_again then moment end,
      lease_token = null
     where e.id = met.id and e.lease_token is not distinct from met.token and met.token is not null;
    continue when not found;
    if met.outcome = 'later' then
      update app.mail_domains d set
        width = 1, failures = least(d.failures + 1, 10),
        rests_until = moment + least(interval '30 seconds' * (2 ^ least(d.failures, 10)), interval '1 hour')
       where d.domain_hash = domain and coalesce(d.rests_until <= moment, true);
    elsif met.outcome = 'sent' then
      update app.mail_domains d set width = least(d.width + 1, 10), failures = 0, rests_until = null
       where d.domain_hash = domain and (d.width < 10 or d.failures > 0 or d.rests_until is not null);
    elsif met.outcome = 'refused' then
      perform app.suppress_reader(met.reader_id, 'bounced');
    end if;
  end loop;
  if domain is not null then
    perform app.line_up_emails_again(domain);
  end if;
end
$$;

revoke all on function app.settle_reader_emails(jsonb) from public;
grant execute on function app.settle_reader_emails(jsonb) to svc_worker;
