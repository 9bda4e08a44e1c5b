set local role svc_owner;

-- How many pieces a new account may publish in a day, and how many it has published besides this one; nulls for any other
-- account. The caller has locked the account, or needs no more than an estimate: what is counted is what has been written.
create or replace function app.allowance_of(p_account uuid, p_piece uuid, p_first_day integer, p_first_week integer,
                                            out most integer, out used integer, out period text)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  age interval := (select clock_timestamp() - a.signed_up_at from app.accounts a where a.id = p_account);
begin
  if age is null or age >= interval :'new_account_period' then
    return;
  end if;
  most := case when age < interval '1 day' then p_first_day else p_first_week end;
  period := case when age < interval '1 day' then 'day' else 'week' end;
  select count(distinct t.piece_id) into used from app.audit t join app.writers w on w.id = t.writer_id
   where w.account_id = p_account and t.act = 'publish' and t.piece_id is distinct from p_piece
     and t.at > clock_timestamp() - interval '1 day';
end
$$;

revoke all on function app.allowance_of(uuid, uuid, integer, integer) from public;
