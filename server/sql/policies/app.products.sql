set local role svc_owner;

revoke all on app.products from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select,
  insert (id, writer_id, name, summary, description, price, currency, category, image, image_alt, payment_url,
    related),
  update (name, summary, description, price, currency, category, image, image_alt, payment_url, related),
  delete
  on app.products to svc_desk;
grant select,
  insert,
  update (status, position, listed_revision, slug, first_listed_at, listed_related, withheld),
  delete
  on app.products to svc_publisher;

alter table app.products enable row level security, force row level security;

drop policy if exists desk_reads_own on app.products;
create policy desk_reads_own on app.products for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists desk_drafts on app.products;
create policy desk_drafts on app.products for insert to svc_desk
  with check (writer_id = (select app.session_writer()) and status = 'draft');

drop policy if exists desk_edits_own on app.products;
create policy desk_edits_own on app.products for update to svc_desk
  using (writer_id = (select app.session_writer()))
  with check (writer_id = (select app.session_writer()));

drop policy if exists desk_deletes_drafts on app.products;
create policy desk_deletes_drafts on app.products for delete to svc_desk
  using (writer_id = (select app.session_writer()) and status = 'draft');

drop policy if exists publisher_acts on app.products;
create policy publisher_acts on app.products to svc_publisher using (true) with check (true);
