set local role svc_publisher;

-- Whether this made a webhook, with this secret; one that was there keeps its own. Another address must prove itself, and
-- what there is to send waits for that.
create or replace function app.desk_set_webhook(p_session_hash bytea, p_url text, p_secret bytea, p_hint text) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
  was  text;
begin
  perform app.freshly_signed_in(p_session_hash);
  insert into app.webhooks (writer_id, url, secret, secret_hint) values (mine.id, p_url, p_secret, p_hint)
  on conflict (writer_id) do nothing;
  if found then
    return true;
  end if;
  select w.url into was from app.webhooks w where w.writer_id = mine.id for no key update;
  if was is distinct from p_url then
    update app.webhooks w set
      url = p_url, url_given_at = date_trunc('milliseconds', clock_timestamp()), state = 'unproven',
      before_move = case w.state when 'unproven' then w.before_move else w.state end, disabled_for = null,
      proven_at = null, owner_proven_at = null, width = 1, failures = 0, rests_until = null, first_failed = null, first_failed_at = null, failing_since = null, warned_at = null
     where w.writer_id = mine.id;
    perform app.hold_deliveries(mine.id);
  end if;
  return false;
end
$$;

revoke all on function app.desk_set_webhook(bytea, text, bytea, text) from public;
grant execute on function app.desk_set_webhook(bytea, text, bytea, text) to svc_desk;
