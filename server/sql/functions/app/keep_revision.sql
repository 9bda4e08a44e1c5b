set local role svc_owner;

create or replace function app.keep_revision() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(old.saved_by_account, old.saved_by_key) is not null then
    insert into app.recent_revisions (piece_id, revision, writer_id, saved_at, account_id, key_id,
                                      headline, sub, body_md, category, tags, frame, style, locale, fields)
    values (old.id, old.revision, old.writer_id, old.updated_at, old.saved_by_account, old.saved_by_key,
            old.headline, old.sub, old.body_md, old.category, old.tags, old.frame, old.style, old.locale, old.fields);
  end if;
  return null;
end
$$;

revoke all on function app.keep_revision() from public;
