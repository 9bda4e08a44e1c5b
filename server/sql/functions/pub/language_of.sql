set local role svc_owner;

-- The primary language of a locale as clients send it: `de` for de-AT and DE_at, `he` for iw, `und` for what is not a
-- language tag. The same as primaryLanguage of server/platform/text/language.ts, with which a test compares it. Indexes
-- are made with it: a migration that changes what it returns builds them again.
-- What nearly all clients send is answered by this expression, which PostgreSQL puts in the place of the call: less than a
-- microsecond, where language_of_tag takes 20 to 200.
create or replace function pub.language_of(p_locale text) returns text
  language sql immutable parallel safe
  as $$
    select case
      when p_locale ~ '^[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$'
           and left(p_locale, 2) not in ('in', 'iw', 'ji', 'jw', 'mo', 'sh', 'tl') then left(p_locale, 2)
      else pub.language_of_tag(p_locale) end
  $$;

revoke all on function pub.language_of(text) from public;
grant execute on function pub.language_of(text) to svc_public, svc_desk, svc_publisher, svc_worker;
