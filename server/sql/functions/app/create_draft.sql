set local role svc_owner;

-- Creates a draft with the rights of its caller, in one round trip: with an idempotency key the piece and its answer
-- are written together, so that a retry, however it races, finds both or neither. Row security refuses a writer that is
-- not the key's, and any once the key is revoked.
-- `outcome`: created, replayed, in_flight (the same key is at work this moment), mismatch (the key had another body),
-- over_quota (only a repetition is allowed, and this is none).
create or replace function app.create_draft(
  p_key_hash bytea, p_writer uuid, p_id uuid, p_headline text, p_sub text, p_body_md text, p_category text,
  p_tags text[], p_frame text, p_style text, p_locale text, p_fields jsonb,
  p_idempotency_key text, p_body_hash bytea, p_warnings json, p_may_create boolean,
  out outcome text, out piece_id uuid, out begun_at timestamptz, out profile_slug text, out warnings json)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept app.idempotency;
begin
  perform set_config('app.key_hash', encode(p_key_hash, 'hex'), true);

  if p_idempotency_key is not null then
    if not pg_try_advisory_xact_lock(hashtextextended(p_writer::text || p_idempotency_key, 1)) then
      outcome := 'in_flight';
      return;
    end if;
    select i.* into kept from app.idempotency i where i.writer_id = p_writer and i.key = p_idempotency_key;
    if found and kept.created_at > now() - interval :'idempotency_retention' then
      outcome := case when kept.body_hash = p_body_hash then 'replayed' else 'mismatch' end;
      piece_id := kept.piece_id;
      begun_at := kept.begun_at;
      profile_slug := kept.profile_slug;
      warnings := kept.warnings;
      return;
    elsif found then
      delete from app.idempotency i where i.writer_id = p_writer and i.key = p_idempotency_key;
    end if;
  end if;

  if not p_may_create then
    outcome := 'over_quota';
    return;
  end if;
  insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
  values (p_id, p_writer, p_headline, p_sub, p_body_md, p_category, p_tags, p_frame, p_style, p_locale, p_fields);
  outcome := 'created';
  piece_id := p_id;
  -- The column's default; reading it back would be one more look-up of the key.
  begun_at := date_trunc('milliseconds', now());
  profile_slug := app.profile_slug(p_writer);
  warnings := p_warnings;
  if p_idempotency_key is not null then
    insert into app.idempotency (writer_id, key, body_hash, piece_id, begun_at, profile_slug, warnings)
    values (p_writer, p_idempotency_key, p_body_hash, piece_id, begun_at, profile_slug, warnings);
  end if;
end
$$;

revoke all on function app.create_draft(bytea, uuid, uuid, text, text, text, text, text[], text, text, text, jsonb, text, bytea, json, boolean) from public;
grant execute on function app.create_draft(bytea, uuid, uuid, text, text, text, text, text[], text, text, text, jsonb, text, bytea, json, boolean) to svc_api;
