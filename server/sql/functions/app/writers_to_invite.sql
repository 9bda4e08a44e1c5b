set local role svc_publisher;

-- For a writer who looks for a co-author: public profiles by name or slug, and any writer by their exact slug. Not themselves,
-- and nobody who is suspended.
create or replace function app.writers_to_invite(p_session_hash bytea, p_term text)
  returns table (slug text, name text, avatar_url text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  pattern text := '%' || replace(replace(replace(p_term, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select found.slug, found.name, found.avatar_url
      from (select w.slug, w.name, null::text as avatar_url, true as is_exact
              from app.writers w join app.accounts a on a.id = w.account_id
             where w.slug = lower(p_term) and w.account_id <> session.account_id and a.disabled_at is null
               and not exists (select from app.suspensions s where s.writer_id = w.id)
               and not exists (select from pub.authors shown where shown.id = w.id)
            union all
            (select a.slug, a.name, a.avatar_url, a.slug = lower(p_term)
               from pub.authors a join app.writers w on w.id = a.id
              where (a.name ilike pattern or a.slug ilike pattern) and w.account_id <> session.account_id
              order by a.slug = lower(p_term) desc, a.pieces_count desc, a.slug limit 8)) found
     order by found.is_exact desc limit 8;
end
$$;

revoke all on function app.writers_to_invite(bytea, text) from public;
grant execute on function app.writers_to_invite(bytea, text) to svc_desk;
