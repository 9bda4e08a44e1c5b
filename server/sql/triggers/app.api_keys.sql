set local role svc_owner;

drop trigger if exists record_key_made on app.api_keys;
create constraint trigger record_key_made after insert on app.api_keys
  deferrable initially deferred for each row execute function app.record_key();

drop trigger if exists record_key_revoked on app.api_keys;
create constraint trigger record_key_revoked after update of revoked_at on app.api_keys
  deferrable initially deferred for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function app.record_key();
