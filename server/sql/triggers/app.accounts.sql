set local role svc_owner;

create or replace trigger drop_recovery_codes after update of password_proof on app.accounts
  for each row when (old.password_proof is distinct from new.password_proof)
  execute function app.drop_recovery_codes();

create or replace trigger forget_invitations after delete on app.accounts
  for each row when (old.email_verified_at is not null) execute function app.forget_invitations();

drop trigger if exists record_account on app.accounts;
create constraint trigger record_account
  after update of email, email_verified_at, password_proof, role, disabled_at on app.accounts
  deferrable initially deferred for each row execute function app.record_account();

drop trigger if exists record_deletion on app.accounts;
create constraint trigger record_deletion after update of delete_at on app.accounts
  deferrable initially deferred for each row when ((old.delete_at is null) <> (new.delete_at is null))
  execute function app.record_deletion();

create or replace trigger use_invitation after update of email_verified_at on app.accounts
  for each row when (old.email_verified_at is null and new.email_verified_at is not null and new.invitation_id is not null)
  execute function app.use_invitation();

-- Also where a replica or a restore applies changes.
alter table app.accounts
  enable always trigger forget_invitations,
  enable always trigger use_invitation;
