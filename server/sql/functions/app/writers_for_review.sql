set local role svc_owner;

-- By a part of the name, profile or address, in lower case; those who have most to lose first.
create or replace function app.writers_for_review(p_session_hash bytea, p_like text, p_limit integer)
  returns table (slug text, name text, identity_verified boolean, website_verified boolean, pieces_count integer,
                 moderates boolean, suspended_at timestamptz, suspended_for text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select w.slug, w.name, w.identity_verified_at is not null, w.website_verified_at is not null,
           coalesce(a.pieces_count, 0), coalesce(c.role <> 'writer', false), s.at, s.reason
      from app.writers w left join pub.authors a on a.id = w.id left join app.suspensions s on s.writer_id = w.id
           left join app.accounts c on c.id = w.account_id
     where p_like is null or w.search_text like p_like or w.slug like p_like
     order by s.at desc nulls last, coalesce(a.pieces_count, 0) desc, w.joined_at desc, w.slug
     limit p_limit;
end
$$;

revoke all on function app.writers_for_review(bytea, text, integer) from public;
grant execute on function app.writers_for_review(bytea, text, integer) to svc_desk;
