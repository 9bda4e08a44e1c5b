set local role svc_owner;

drop trigger if exists record_recovery_codes on app.recovery_codes;
create constraint trigger record_recovery_codes after insert on app.recovery_codes
  deferrable initially deferred for each row execute function app.record_recovery_codes();
