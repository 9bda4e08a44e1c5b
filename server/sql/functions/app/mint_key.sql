set local role svc_owner;

create or replace function app.mint_key(p_session_hash bytea, p_name text, p_key_hash bytea, p_head text, p_tail text,
                             p_scopes text[], p_expires_at timestamptz) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
  minted uuid;
begin
  -- One at a time, so that two requests cannot both be the twentieth.
  select w.id into writer
    from app.writers w join app.sessions s on s.account_id = w.account_id
   where s.token_hash = p_session_hash
     for no key update of w;
  perform app.freshly_signed_in(p_session_hash);
  if writer is null then
    raise exception 'error.writers_only' using errcode = 'SF403';
  end if;
  if (select count(*) from app.api_keys k where k.writer_id = writer and app.is_live_key(k)) >= 20 then
    raise exception 'error.too_many_keys' using errcode = 'SF419', detail = '{"limit":20}';
  end if;
  insert into app.api_keys (writer_id, name, key_hash, head, tail, scopes, expires_at)
  values (writer, p_name, p_key_hash, p_head, p_tail, p_scopes, p_expires_at) returning id into minted;
  return minted;
end
$$;

revoke all on function app.mint_key(bytea, text, bytea, text, text, text[], timestamp with time zone) from public;
grant execute on function app.mint_key(bytea, text, bytea, text, text, text[], timestamp with time zone) to svc_desk;
