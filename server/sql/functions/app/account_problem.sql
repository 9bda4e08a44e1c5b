set local role svc_owner;

-- Why the account of a consent may not publish now; null where it may. Locks the account, as Publish does.
create or replace function app.account_problem(p_account uuid, p_piece uuid, p_review text, p_review_first integer,
                                               p_first_day integer, p_first_week integer) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  select a.* into account from app.accounts a where a.id = p_account for no key update;
  return case
    when account.id is null or account.disabled_at is not null or account.delete_at is not null then 'account'
    when p_review = 'required' or (p_review = 'first' and app.is_new_account(p_account, p_review_first)) then 'review'
    when app.reached_allowance(p_account, p_piece, p_first_day, p_first_week) is not null then 'limit'
  end;
end
$$;

revoke all on function app.account_problem(uuid, uuid, text, integer, integer, integer) from public;
grant execute on function app.account_problem(uuid, uuid, text, integer, integer, integer) to svc_publisher;
