set local role svc_publisher;

create or replace function app.desk_rotate_webhook(p_session_hash bytea, p_secret bytea, p_hint text, p_keep interval, p_force boolean)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  perform app.freshly_signed_in(p_session_hash);
  if hook.former_until > clock_timestamp() and not p_force then
    raise exception 'error.two_secrets' using errcode = 'SF409';
  end if;
  update app.webhooks w set
    secret = p_secret, secret_hint = p_hint, secret_made_at = clock_timestamp(),
    former_secret = case when p_keep > interval '0' then w.secret end,
    former_until = case when p_keep > interval '0' then clock_timestamp() + p_keep end
   where w.writer_id = hook.writer_id;
end
$$;

revoke all on function app.desk_rotate_webhook(bytea, bytea, text, interval, boolean) from public;
grant execute on function app.desk_rotate_webhook(bytea, bytea, text, interval, boolean) to svc_desk;
