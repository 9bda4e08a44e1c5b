set local role svc_owner;

-- Imports the next rows that a writer agreed to; false once none are left. A row is done in the transaction that deletes it, so an
-- import goes on where it was interrupted. Nobody gets an email of it, but those who are asked to confirm: as many as a
-- network can ask in a day, and an address in a day.
create or replace function app.apply_follower_import(p_import uuid, p_most integer) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment  timestamptz := clock_timestamp();
  today   date := (moment at time zone 'UTC')::date;
  import  app.follower_imports;
  subject text;
  one     record;
  reader  uuid;
  outcome text;
  asked   integer;
begin
  select i.* into import from app.follower_imports i
   where i.id = p_import and i.agreed_at is not null and i.finished_at is null for update;
  if not found then
    return false;
  end if;
  subject := 'author:' || import.writer_id;
  -- Those of one domain together, and domains in order: the sender locks them so.
  for one in
    select n.*, o.outcome, o.known_reader
      from app.follower_import_outcomes(p_import, p_most) o
           join app.follower_import_rows n on n.import_id = p_import and n.position = o.position
     order by n.domain_hash, n.position
  loop
    outcome := one.outcome;
    if outcome = 'asked' then
      insert into app.follow_requests as r (day, network, count) values (today, import.network, 1)
      on conflict on constraint follow_requests_pkey do update set count = r.count + 1
       where r.count < :follow_requests_per_network
      returning r.count into asked;
      if not found then
        outcome := 'over_limit';
      end if;
    end if;
    if outcome in ('added', 'asked') then
      reader := one.known_reader;
      if reader is null then
        insert into app.readers (id, address_hash, sealed_address, domain_hash, language)
        values (one.reader_id, one.address_hashes[1], one.sealed_address, one.domain_hash, 'und')
        on conflict (address_hash) do nothing
        returning id into reader;
        -- Came by the form in this moment.
        if not found then
          select r.id into reader from app.readers r where r.address_hash = one.address_hashes[1] for key share;
        end if;
      end if;
      insert into app.follows (reader_id, subject, frequency, asked_at, asked_on, asked_from, consent, confirmed_at,
                               confirmed_from, import_id)
      select reader, subject, one.frequency, coalesce(one.consented_at, moment), '/desk/followers', import.agreed_from,
             one.consent, case when outcome = 'added' then moment end,
             case when outcome = 'added' then import.agreed_from end, import.id
       where reader is not null
      on conflict on constraint follows_pkey do nothing;
      if not found then
        outcome := 'known';
      elsif outcome = 'asked' and (select count(*) from app.reader_emails e
                                    where e.reader_id = reader and e.kind = 'confirm'
                                      and coalesce(e.ended_at, moment) > moment - interval '1 day')
                                  < :follow_confirmations_per_day then
        perform app.order_reader_email(reader, one.domain_hash, 'confirm', null);
      end if;
    end if;
    import.added := import.added + (outcome = 'added')::integer;
    import.asked := import.asked + (outcome = 'asked')::integer;
    import.known := import.known + (outcome = 'known')::integer;
    import.ended := import.ended + (outcome = 'ended')::integer;
    import.over_limit := import.over_limit + (outcome = 'over_limit')::integer;
    delete from app.follower_import_rows n where n.import_id = p_import and n.position = one.position;
  end loop;

  insert into app.follower_days as d (subject, day, gained)
  select subject, today, import.added - i.added from app.follower_imports i where i.id = p_import and import.added > i.added
  on conflict on constraint follower_days_pkey do update set gained = d.gained + excluded.gained;
  if not exists (select from app.follower_import_rows n where n.import_id = p_import) then
    import.finished_at := moment;
    import.agreed_from := null;
    import.network := null;
  end if;
  update app.follower_imports i set
    added = import.added, asked = import.asked, known = import.known, ended = import.ended, over_limit = import.over_limit,
    finished_at = import.finished_at, agreed_from = import.agreed_from, network = import.network
   where i.id = p_import;
  return import.finished_at is null;
end
$$;

revoke all on function app.apply_follower_import(uuid, integer) from public;
grant execute on function app.apply_follower_import(uuid, integer) to svc_worker;
