set local role svc_owner;

create or replace function app.record_event(p_account uuid, p_act text, p_facts jsonb default '{}') returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  head  app.security_heads;
  event app.security_events;
begin
  if not exists (select from app.accounts a where a.id = p_account) then
    return;
  end if;
  insert into app.security_heads as h (account_id, number, at, hash) values (p_account, 0, clock_timestamp(), '')
  on conflict (account_id) do update set number = h.number returning h.* into head;
  event.account_id := p_account;
  event.number := head.number + 1;
  -- Never before the row before, whatever the clock does.
  event.at := greatest(date_trunc('milliseconds', clock_timestamp()), date_trunc('milliseconds', head.at));
  event.act := p_act;
  event.facts := coalesce((select jsonb_object_agg(f.key, left(f.value, 400))
                             from jsonb_each_text(app.place_of_act(p_account) || p_facts) f
                            where f.value is not null), '{}');
  event.previous := head.hash;
  event.hash := app.security_hash(event);
  insert into app.security_events values (event.*);
  update app.security_heads h set number = event.number, at = event.at, hash = event.hash where h.account_id = p_account;
end
$$;

revoke all on function app.record_event(uuid, text, jsonb) from public;
