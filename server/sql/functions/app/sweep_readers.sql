set local role svc_owner;

-- What was never confirmed, and emails that were sent long ago. Who came with a list and did not confirm is not asked again by one. Announcements are kept as long, for their digests.
create or replace function app.sweep_readers() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := clock_timestamp();
begin
  insert into app.former_followers (writer_id, address_hash)
  select w.id, r.address_hash
    from app.follows f join app.readers r on r.id = f.reader_id join app.writers w on f.subject = 'author:' || w.id
   where f.confirmed_at is null and f.asked_at < moment - interval :'unconfirmed_follow_lifetime' and f.import_id is not null
  on conflict do nothing;
  delete from app.follows f where f.confirmed_at is null and f.asked_at < moment - interval :'unconfirmed_follow_lifetime';
  delete from app.readers r
   where r.suppressed_at is null and r.created_at < moment - interval :'unconfirmed_follow_lifetime'
     and not exists (select from app.follows f where f.reader_id = r.id);
  delete from app.reader_emails e where e.ended_at < moment - interval :'reader_email_retention';
  delete from app.announcements a
   where a.published_at < moment - interval :'reader_email_retention'
     and not exists (select from app.reader_emails e where e.piece_id = a.piece_id and e.state = 'pending');
  delete from app.follower_import_rows n using app.follower_imports i
   where i.id = n.import_id and i.agreed_at is null and i.uploaded_at < moment - interval :'follower_preview_lifetime';
  delete from app.follower_imports i where i.agreed_at is null and i.uploaded_at < moment - interval '1 day';
  delete from app.provider_reports r where r.noted_at < moment - interval :'provider_report_retention';
  delete from app.follow_requests r where r.day < (moment at time zone 'UTC')::date;
end
$$;

revoke all on function app.sweep_readers() from public;
grant execute on function app.sweep_readers() to svc_worker;
