-- Providers of outgoing email send a webhook again until it is answered: what a report said counts once.

-- step: once
set local role svc_owner;

create table app.provider_reports (
  -- Of the provider and its own name for the report.
  id       bytea       primary key check (octet_length(id) = 32),
  noted_at timestamptz not null default clock_timestamp()
);

create index provider_reports_noted on app.provider_reports (noted_at);
