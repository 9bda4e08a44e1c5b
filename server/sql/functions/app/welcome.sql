set local role svc_owner;

-- Confirms the address, and makes a writer of an account that signed up as one: "ada", "ada-2" where that is taken, and
-- "ada-5f0c3" where very many are called Ada.
create or replace function app.welcome(p_account uuid, p_name text, p_slug text, p_search_text text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account   app.accounts;
  candidate text;
begin
  update app.accounts a set email_verified_at = clock_timestamp(), name = p_name
   where a.id = p_account returning a.* into account;
  if account.role <> 'writer' or exists (select from app.writers w where w.account_id = p_account) then
    return;
  end if;
  for copy in 1..40 loop
    candidate := p_slug || case when copy = 1 then ''
                                when copy <= 20 then '-' || copy
                                else '-' || left(md5(gen_random_uuid()::text), 5) end;
    if app.is_free_slug(candidate) and not app.is_slug_taken(candidate, null) then
      insert into app.writers (account_id, slug, name, search_text)
      values (p_account, candidate, p_name, p_search_text)
      on conflict (slug) do nothing;
      if found then
        return;
      end if;
    end if;
  end loop;
  raise exception 'error.name_too_common' using errcode = 'SF409';
end
$$;

revoke all on function app.welcome(uuid, text, text, text) from public;
