set local role svc_owner;

drop trigger if exists record_passkey on app.passkeys;
create constraint trigger record_passkey after insert or delete on app.passkeys
  deferrable initially deferred for each row execute function app.record_passkey();
