set local role svc_publisher;

-- The writer's consent to publish these revisions of imported drafts with the dates they were imported with: all of them at
-- once, each as far as it can be published. Answers why not with each of the others.
create or replace function app.desk_confirm_imports(p_session_hash bytea, p_pieces uuid[], p_revisions integer[])
  returns table (piece_id uuid, problem text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  asked   record;
  piece   app.pieces;
  fact    app.imports;
begin
  -- In the order of their ids, so that two confirmations do not wait for each other.
  for asked in select a.id, a.revision from unnest(p_pieces, p_revisions) as a (id, revision) order by a.id loop
    piece := app.locked_piece(asked.id);
    select i.* into fact from app.imports i where i.piece_id = piece.id;
    piece_id := asked.id;
    problem := case
      when piece.id is null
        or not exists (select from app.writers w where w.id = piece.writer_id and w.account_id = session.account_id)
        or fact.piece_id is null then 'gone'
      when piece.editor_status <> 'draft' or piece.first_published_at is not null then 'published'
      when piece.revision <> asked.revision then 'changed'
      else app.import_problem(piece.headline, piece.fields, piece.review_required, fact.original_at)
    end;
    if problem is null then
      update app.imports i set confirmed_at = clock_timestamp(), session_id = session.id, revision = piece.revision,
                               text_hash = app.text_hash(piece), proof = app.proof_of(session.id, piece.id, piece.revision)
       where i.piece_id = piece.id;
    end if;
    return next;
  end loop;
end
$$;

revoke all on function app.desk_confirm_imports(bytea, uuid[], integer[]) from public;
grant execute on function app.desk_confirm_imports(bytea, uuid[], integer[]) to svc_desk;
