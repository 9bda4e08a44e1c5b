set local role svc_owner;

-- A form was sent: nothing is followed before the address confirms it, by a link in an email. The answer is the same
-- whatever is known of the address. It gets three such emails a day at most, and none for a month after it refused one.
create or replace function app.ask_to_follow(
    p_reader uuid, p_address_hashes bytea[], p_sealed_address bytea, p_domain_hash bytea, p_language text, p_subject text,
    p_frequency text, p_page text, p_consent text, p_network text, p_sealed_network bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment  timestamptz := clock_timestamp();
  today   date := (moment at time zone 'UTC')::date;
  network bytea := app.reporter_hash(p_network);
  asked   integer;
  reader  app.readers;
begin
  insert into app.follow_requests as r (day, network, count) values (today, network, 1)
  on conflict on constraint follow_requests_pkey do update set count = r.count + 1
  returning r.count into asked;
  if asked > :follow_requests_per_network then
    raise exception 'error.follow_limit' using errcode = 'SF419';
  end if;

  select r.* into reader from app.readers r where r.address_hash = any (p_address_hashes) for update;
  if not found then
    insert into app.readers (id, address_hash, sealed_address, domain_hash, language)
    values (p_reader, p_address_hashes[1], p_sealed_address, p_domain_hash, p_language)
    on conflict (address_hash) do nothing
    returning * into reader;
    -- Twice in one moment: the other one has sent the email.
    if not found then
      return;
    end if;
  elsif reader.suppressed_at > moment - interval :'suppression_before_asking_again' then
    return;
  elsif reader.suppressed_at is not null then
    -- The sealed address belongs to the id that it was sealed with.
    delete from app.readers r where r.id = reader.id;
    insert into app.readers (id, address_hash, sealed_address, domain_hash, language)
    values (p_reader, p_address_hashes[1], p_sealed_address, p_domain_hash, p_language)
    returning * into reader;
  end if;

  insert into app.follows (reader_id, subject, frequency, asked_at, asked_on, asked_from, consent)
  values (reader.id, p_subject, p_frequency, moment, p_page, p_sealed_network, p_consent)
  on conflict (reader_id, subject) do nothing;

  if (select count(*) from app.reader_emails e
       where e.reader_id = reader.id and e.kind = 'confirm' and coalesce(e.ended_at, moment) > moment - interval '1 day')
     < :follow_confirmations_per_day then
    perform app.order_reader_email(reader.id, reader.domain_hash, 'confirm', null);
  end if;
end
$$;

revoke all on function app.ask_to_follow(uuid, bytea[], bytea, bytea, text, text, text, text, text, text, bytea) from public;
grant execute on function app.ask_to_follow(uuid, bytea[], bytea, bytea, text, text, text, text, text, text, bytea) to svc_desk;
