set local role svc_owner;

create or replace function app.invitations_for_review(p_session_hash bytea, p_limit integer)
  returns table (id uuid, made_by text, email text, created_at timestamptz, expires_at timestamptz, used_at timestamptz,
                 used_by text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select i.id, m.name, i.email, i.created_at, i.expires_at, i.used_at, u.name
      from app.invitations i left join app.accounts m on m.id = i.made_by left join app.accounts u on u.id = i.used_by
     where i.used_at is not null or i.expires_at > clock_timestamp()
     order by i.created_at desc, i.id limit p_limit;
end
$$;

revoke all on function app.invitations_for_review(bytea, integer) from public;
grant execute on function app.invitations_for_review(bytea, integer) to svc_desk;
