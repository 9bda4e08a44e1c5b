set local role svc_owner;

create or replace trigger forget_followers after delete on app.series
  for each row execute function app.forget_series();
