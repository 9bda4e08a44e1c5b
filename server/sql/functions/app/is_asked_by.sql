set local role svc_publisher;

-- Whether the translator of this piece has asked this person, whose piece it translates. A refusal ends it.
create or replace function app.is_asked_by(p_piece app.pieces, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (
      select from app.translation_requests r join app.writers w on w.id = r.author_id
       where r.piece_id = p_piece.id and r.original_id = (p_piece.fields ->> 'translation_of')::uuid
         and r.answer is distinct from 'declined' and w.account_id = p_account and p_piece.deleted_at is null)
  $$;

revoke all on function app.is_asked_by(app.pieces, uuid) from public;
