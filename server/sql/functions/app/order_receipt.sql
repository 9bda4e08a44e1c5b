set local role svc_publisher;

create or replace function app.order_receipt() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  chain app.pieces;
begin
  update app.pieces set receipts = receipts + 1 where id = new.piece_id returning * into chain;
  insert into pub.receipts as known (piece_id, author_id, receipt)
  select shown.id, shown.author_id, jsonb_build_object(
           'version', 1,
           'number', chain.receipts,
           'previous', encode(chain.receipt_hash, 'hex'),
           'piece', shown.id,
           'author', jsonb_build_object('id', author.id, 'slug', author.slug),
           'act', new.act,
           'by', 'person',
           'role', case new.act when 'approve' then 'moderator' else 'writer' end,
           'proof', coalesce(new.consent -> 'proof', app.proof_of(new.session_id, new.piece_id, new.revision)),
           'revision', new.revision,
           'revisions_by_key', array(
              select r.revision from app.past_revisions r
               where r.piece_id = shown.id and r.key_id is not null and r.revision < new.revision
              union all
              select new.revision where chain.saved_by_key is not null
              order by 1),
           'first_published', app.iso_time(shown.published_at),
           'published', app.iso_time(shown.modified_at))
         || case when shown.translation_of is null then '{}' else jsonb_build_object('translation_of', jsonb_build_object(
              'piece', shown.translation_of,
              'content', (select r.receipt ->> 'content' from pub.receipts r where r.piece_id = shown.translation_of)))
            end
         || case when shown.co_authors is null then '{}' else jsonb_build_object('co_authors', (
              select jsonb_agg(jsonb_build_object('id', a.id, 'slug', a.slug) order by named.place)
                from unnest(shown.co_authors) with ordinality named(id, place) join pub.authors a on a.id = named.id))
            end
         || case when new.consent ? 'for' then jsonb_build_object('scheduled', jsonb_build_object(
              'consented', new.consent -> 'at', 'for', new.consent -> 'for'))
            else '{}' end
         || coalesce((select jsonb_build_object('imported', jsonb_build_object(
              'service', i.service, 'original', app.iso_time(i.original_at), 'here', app.iso_time(i.published_at)))
              from app.imports i where i.piece_id = shown.id and i.published_at is not null), '{}')
    from pub.pieces shown join pub.authors author on author.id = shown.author_id
   where shown.id = new.piece_id
  on conflict (piece_id) do update set receipt = excluded.receipt, key_id = null, signature = null;
  return null;
end
$$;

revoke all on function app.order_receipt() from public;
grant execute on function app.order_receipt() to svc_owner;
