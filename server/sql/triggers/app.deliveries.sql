set local role svc_owner;

drop trigger if exists guard_delivery on app.deliveries;
create constraint trigger guard_delivery after insert on app.deliveries deferrable initially deferred
  for each row execute function app.guard_delivery();

-- Also where a replica or a restore applies changes.
alter table app.deliveries
  enable always trigger guard_delivery;
