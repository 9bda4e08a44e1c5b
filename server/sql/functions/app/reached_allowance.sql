set local role svc_owner;

-- The limit that publishing one more piece would exceed, as the error names it; null where it would exceed none. The caller
-- has locked the account: what is counted is what has been written.
create or replace function app.reached_allowance(p_account uuid, p_piece uuid, p_first_day integer, p_first_week integer)
  returns json
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  age  interval := (select clock_timestamp() - a.signed_up_at from app.accounts a where a.id = p_account);
  most integer := case when age < interval '1 day' then p_first_day else p_first_week end;
begin
  if age is null or age >= interval :'new_account_period' then
    return null;
  end if;
  if (select count(distinct t.piece_id) from app.audit t join app.writers w on w.id = t.writer_id
       where w.account_id = p_account and t.act = 'publish' and t.piece_id <> p_piece
         and t.at > clock_timestamp() - interval '1 day') < most then
    return null;
  end if;
  return json_build_object('limit', most, 'period', case when age < interval '1 day' then 'day' else 'week' end);
end
$$;

revoke all on function app.reached_allowance(uuid, uuid, integer, integer) from public;
