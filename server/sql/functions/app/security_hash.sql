set local role svc_owner;

-- SHA-256 of the row as canonical JSON (RFC 8785), by which anybody can verify what they downloaded.
create or replace function app.security_hash(p_event app.security_events) returns bytea
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select sha256(convert_to(format(
      '{"account":"%s","act":"%s","at":"%s","facts":{%s},"number":%s,"previous":"%s"}',
      p_event.account_id, p_event.act, to_char(p_event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      (select string_agg(to_json(f.key)::text || ':' || to_json(f.value)::text, ',' order by f.key collate "C")
         from jsonb_each_text(p_event.facts) f),
      p_event.number, encode(p_event.previous, 'hex')), 'UTF8'))
  $$;

revoke all on function app.security_hash(app.security_events) from public;
