set local role svc_owner;

-- The same report sent twice is one. Three open ones of an address are enough, and so are a thousand of a piece: what
-- comes after those is thanked for and not kept.
create or replace function app.report(p_kind text, p_id uuid, p_reason text, p_note text, p_email text, p_place text, p_name text,
                           p_good_faith boolean, p_address text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hash bytea;
begin
  perform app.demand_public(p_kind, p_id);
  -- One at a time for each: what is counted is what has been written.
  perform pg_advisory_xact_lock(hashtextextended(p_id::text, 3));
  hash := app.reporter_hash(p_address);
  if exists (select from app.open_reports_of(p_kind, p_id) r
              where r.reporter = hash and r.reason = p_reason and r.note is not distinct from p_note
                and r.place is not distinct from p_place and r.email is not distinct from p_email)
     or (select count(*) from app.open_reports_of(p_kind, p_id)) >= 1000 then
    return;
  end if;
  if (select count(*) from app.open_reports_of(p_kind, p_id) r where r.reporter = hash) >= 3 then
    raise exception 'error.report_limit'
      using errcode = 'SF419', detail = json_build_object('kind', p_kind, 'limit', 3)::text;
  end if;
  insert into app.reports (piece_id, product_id, reason, note, email, place, name, good_faith, reporter)
  values (case p_kind when 'piece' then p_id end, case p_kind when 'listing' then p_id end, p_reason, p_note, p_email,
          p_place, p_name, p_good_faith, hash);
  -- The row holds what it is about from here on: what is taken down later takes the report along, what was a moment ago
  -- is seen now.
  perform app.demand_public(p_kind, p_id);
exception
  when foreign_key_violation then
    raise exception 'error.not_public' using errcode = 'SF404', detail = json_build_object('kind', p_kind)::text;
end
$$;

revoke all on function app.report(text, uuid, text, text, text, text, text, boolean, text) from public;
grant execute on function app.report(text, uuid, text, text, text, text, text, boolean, text) to svc_desk;
