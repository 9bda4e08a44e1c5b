set local role svc_owner;

drop trigger if exists record_email_change on app.email_changes;
create constraint trigger record_email_change after insert or delete on app.email_changes
  deferrable initially deferred for each row execute function app.record_email_change();

drop trigger if exists record_email_change_again on app.email_changes;
create constraint trigger record_email_change_again after update of email on app.email_changes
  deferrable initially deferred for each row execute function app.record_email_change();
