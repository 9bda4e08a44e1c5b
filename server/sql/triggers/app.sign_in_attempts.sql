set local role svc_owner;

drop trigger if exists record_failed_sign_in on app.sign_in_attempts;
create constraint trigger record_failed_sign_in after update of checked on app.sign_in_attempts
  deferrable initially deferred for each row when (new.checked and not old.checked)
  execute function app.record_failed_sign_in();
