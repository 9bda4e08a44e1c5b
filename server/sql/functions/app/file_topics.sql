set local role svc_owner;

-- Files public pieces under their topics, in the transaction that publishes, changes or hides them. Runs as the role that
-- writes the public schema, which is svc_publisher alone.
create or replace function app.file_topics() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  filed uuid[];
begin
  if tg_op = 'DELETE' then
    delete from pub.piece_topics t using gone where t.piece_id = gone.id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    filed := array(select come.id from come where cardinality(come.tags) > 0);
  else
    filed := array(select come.id from come join gone on gone.id = come.id
                    where (come.tags, come.locale, come.published_at) is distinct from
                          (gone.tags, gone.locale, gone.published_at));
    delete from pub.piece_topics t where t.piece_id = any (filed);
  end if;
  insert into pub.piece_topics (topic, published_at, piece_id, author_id, language, name, place)
  select distinct on (come.id, tag_of.topic) tag_of.topic, come.published_at, come.id, come.author_id,
         pub.language_of(come.locale), tag.name, tag.place
    from come, unnest(come.tags) with ordinality as tag (name, place),
         lateral (select pub.topic_of(tag.name) as topic offset 0) tag_of
   where come.id = any (filed) and tag_of.topic is not null
   order by come.id, tag_of.topic, tag.place;
  return null;
end
$$;

revoke all on function app.file_topics() from public;
