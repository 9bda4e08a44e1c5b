set local role svc_publisher;

-- Public again as it was, row for row. Whether it is.
create or replace function app.bring_back(p_decision app.decisions, p_session app.sessions, p_note text) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept    jsonb := p_decision.kept;
  piece   app.pieces;
  product app.products;
begin
  if p_decision.act = 'withhold' then
    select p.* into product from app.products p where p.id = p_decision.product_id;
    if product.withheld is null or not app.is_last_word(p_decision) then
      perform app.trail_decision(p_decision, p_session, 'reinstate', p_note);
      return false;
    end if;
    if kept is null then
      update app.products set withheld = null where id = product.id;
      perform app.trail_product(product, p_session, 'reinstate', 'draft', p_note);
      return false;
    end if;
    update app.products set status = 'listed', withheld = null, listed_revision = (kept ->> 'revision')::integer
     where id = product.id;
    perform app.show_author(product.writer_id);
    insert into pub.products
    select (jsonb_populate_record(null::pub.products,
                                  kept -> 'product' || jsonb_build_object('position', product.position))).*;
    perform app.trail_product(product, p_session, 'reinstate', 'listed', p_note);
    return true;
  end if;

  -- Its writer may have put it in the trash meanwhile.
  select p.* into piece from app.pieces p where p.id = p_decision.piece_id for update;
  if piece.deleted_at is not null or not app.is_last_word(p_decision) or (p_decision.act = 'reject' and piece.editor_status <> 'rejected') then
    perform app.trail_decision(p_decision, p_session, 'reinstate', p_note);
    return false;
  end if;
  if p_decision.act = 'reject' then
    perform app.move_piece(piece, p_session, 'reinstate', 'pending', p_note);
    return false;
  end if;
  update app.pieces set editor_status = 'approved', review_required = (kept ->> 'review_required')::boolean
   where id = piece.id;
  perform app.show_author(piece.writer_id);
  insert into pub.pieces select (jsonb_populate_record(null::pub.pieces, kept -> 'piece')).*;
  insert into pub.piece_contents select (jsonb_populate_record(null::pub.piece_contents, kept -> 'contents')).*;
  insert into pub.piece_texts select (jsonb_populate_record(null::pub.piece_texts, kept -> 'text')).*;
  if kept ->> 'receipt' is not null then
    insert into pub.receipts select (jsonb_populate_record(null::pub.receipts, kept -> 'receipt')).*;
  end if;
  update pub.authors set pieces_count = pieces_count + 1,
                         last_published_at = greatest(last_published_at, (kept #>> '{piece,published_at}')::timestamptz)
   where id = piece.writer_id;
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  values ('reinstate', piece.id, piece.writer_id, p_session.account_id, p_session.id, (kept ->> 'revision')::integer,
          piece.editor_status, 'approved', p_note);
  return true;
end
$$;

revoke all on function app.bring_back(app.decisions, app.sessions, text) from public;
