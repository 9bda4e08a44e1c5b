set local role svc_publisher;

-- Another name is not the one that was verified, and another website not the one that was proven.
create or replace function app.desk_set_profile(p_session_hash bytea, p_name text, p_bio text, p_role text, p_niche text,
                                     p_location text, p_website text, p_socials jsonb, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine         app.writers := app.own_writer(p_session_hash);
  session      app.sessions := app.signed_in(p_session_hash);
  same_name    boolean := p_name = mine.name;
  same_website boolean := p_website is not distinct from mine.website;
begin
  update app.writers w set
    name = p_name, bio = p_bio, role = p_role, niche = p_niche, location = p_location, website = p_website,
    socials = p_socials, search_text = p_search_text,
    identity_verified_at = case when same_name then w.identity_verified_at end,
    website_verified_at = case when same_website then w.website_verified_at end
   where w.id = mine.id;
  if not same_name and mine.identity_verified_at is not null then
    insert into app.writer_audit (act, writer_id, account_id, session_id)
    values ('new_name', mine.id, session.account_id, session.id);
  end if;
  if not same_website then
    delete from app.website_checks c where c.writer_id = mine.id;
  end if;
  perform app.show_if_public(mine.id);
end
$$;

revoke all on function app.desk_set_profile(bytea, text, text, text, text, text, text, jsonb, text) from public;
grant execute on function app.desk_set_profile(bytea, text, text, text, text, text, text, jsonb, text) to svc_desk;
