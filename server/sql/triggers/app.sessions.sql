set local role svc_owner;

drop trigger if exists record_sign_in on app.sessions;
create constraint trigger record_sign_in after insert on app.sessions
  deferrable initially deferred for each row when (new.expires_at > now()) execute function app.record_sign_in();

drop trigger if exists record_sign_out on app.sessions;
create constraint trigger record_sign_out after update of revoked_at on app.sessions
  deferrable initially deferred for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function app.record_sign_out();
