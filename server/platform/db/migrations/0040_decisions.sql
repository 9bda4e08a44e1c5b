-- Statements of reasons, and appeals.
--
-- Each takedown, each rejection and each listing taken out of the shop is a row of app.decisions: what was decided, for
-- which category, the facts in the moderator's words, and whether a report led to it. Its writer reads it and appeals
-- once, within six months. Somebody other than who decided decides the appeal: a constraint holds that, whatever function
-- writes. Where there is no other moderator, the operator does (app.operator_decide_appeal).
-- What was public is kept with the decision, row for row, so that a reversal brings back exactly that, receipt and dates
-- included. It is deleted when six months are over and no appeal is open.
-- Errors: SF400 not that outcome, SF401 no live session, SF403 no moderator, their own work or their own decision, SF404
-- no such decision, SF409 appealed or decided already, SF410 too late.
--
-- Lock: ACCESS EXCLUSIVE on app.products for an instant, SHARE on app.audit while its index is built.

set local role svc_owner;

create table app.decisions (
  id           uuid        primary key default gen_random_uuid(),
  at           timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  act          text        not null check (act in ('take_down', 'reject', 'withhold')),
  piece_id     uuid        references app.pieces on delete cascade,
  product_id   uuid        references app.products on delete cascade,
  writer_id    uuid        not null,
  -- Null for the operator, and for a moderator whose account is closed.
  moderator_id uuid        references app.accounts on delete set null,
  category     text        not null check (category in ('spam', 'harassment', 'illegal', 'copyright',
                             'private_information', 'impersonation', 'danger', 'other', 'editorial')),
  facts        text        not null check (char_length(facts) between 1 and 2000),
  by_report    boolean     not null,
  -- Of the piece, or the name of the listing, as it was then.
  headline     text        not null,
  to_status    text        not null,
  -- What was public, or what was rejected; what a reversal brings back.
  kept         jsonb,
  appeal       text        check (char_length(appeal) between 1 and 4000),
  appealed_at  timestamptz,
  outcome      text        check (outcome in ('upheld', 'reversed')),
  answer       text        check (char_length(answer) between 1 and 2000),
  decided_at   timestamptz,
  decided_by   uuid        references app.accounts on delete set null,
  check (num_nonnulls(piece_id, product_id) = 1),
  check ((appeal is null) = (appealed_at is null)),
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (answer is null)),
  check (outcome is distinct from 'upheld' or appealed_at is not null),
  constraint another_decides_the_appeal
    check (appealed_at is null or decided_by is null or moderator_id is null or decided_by <> moderator_id)
);
create index decisions_of_writer on app.decisions (writer_id, at);
create index decisions_of_piece on app.decisions (piece_id) where piece_id is not null;
create index decisions_of_product on app.decisions (product_id) where product_id is not null;
create index decisions_by_moderator on app.decisions (moderator_id);
create index decisions_by_appeal_moderator on app.decisions (decided_by);
create index decisions_newest on app.decisions (at, id);
create index appeals_open on app.decisions (appealed_at, id) where appealed_at is not null and outcome is null;

alter table app.products drop constraint products_withheld_check,
  add constraint products_withheld_check check (char_length(withheld) between 1 and 2000);

grant select, insert, update on app.decisions to svc_publisher;
grant select on app.product_audit to svc_publisher;

create function app.is_reported(p_kind text, p_id uuid) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select exists (select from app.open_reports_of(p_kind, p_id)) $$;

create function app.appeal_until(p_decision app.decisions) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select p_decision.at + interval '6 months' $$;

revoke all on function app.is_reported(text, uuid), app.appeal_until(app.decisions) from public;
grant execute on function app.is_reported(text, uuid), app.appeal_until(app.decisions) to svc_publisher;
grant create on schema app to svc_publisher;

set local role svc_publisher;

-- The revision readers last had; what was made public without a trail was so at its first.
create function app.shown_revision(p_piece uuid) returns integer
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce((select t.revision from app.audit t where t.piece_id = p_piece and t.to_status = 'approved'
                      order by t.id desc limit 1), 1)
  $$;

drop function app.desk_take_down(uuid, bytea, text, text);
drop function app.desk_reject(uuid, bytea, text);
drop function app.withhold_product(text, text);

-- Answers with the decision.
create function app.desk_take_down(p_piece uuid, p_session_hash bytea, p_to text, p_category text, p_facts text)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece    app.pieces := app.locked_piece(p_piece);
  session  app.sessions := app.moderator_session(piece, p_session_hash);
  decision uuid;
begin
  perform app.demand_status(piece, 'taken down', array['approved']);
  if p_to <> all (array['changes_requested', 'rejected']) then
    raise exception 'A piece is taken down for changes or for good. Say which: changes_requested or rejected.'
      using errcode = 'SF400';
  end if;
  insert into app.decisions (act, piece_id, writer_id, moderator_id, category, facts, by_report, headline, to_status, kept)
  select 'take_down', piece.id, piece.writer_id, session.account_id, p_category, p_facts,
         app.is_reported('piece', piece.id), p.headline, p_to,
         jsonb_build_object(
           'piece', to_jsonb(p), 'contents', to_jsonb(c), 'text', to_jsonb(t),
           'receipt', (select to_jsonb(r) from pub.receipts r where r.piece_id = p.id),
           'revision', app.shown_revision(p.id), 'review_required', piece.review_required)
    from pub.pieces p join pub.piece_contents c on c.piece_id = p.id join pub.piece_texts t on t.piece_id = p.id
   where p.id = piece.id
  returning id into decision;
  perform app.hide_piece(piece);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'take_down', p_to, p_facts);
  return decision;
end
$$;

create function app.desk_reject(p_piece uuid, p_session_hash bytea, p_category text, p_facts text) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece    app.pieces := app.locked_piece(p_piece);
  session  app.sessions := app.moderator_session(piece, p_session_hash);
  decision uuid;
begin
  perform app.demand_status(piece, 'rejected', array['pending']);
  perform app.move_piece(piece, session, 'reject', 'rejected', p_facts);
  insert into app.decisions (act, piece_id, writer_id, moderator_id, category, facts, by_report, headline, to_status, kept)
  values ('reject', piece.id, piece.writer_id, session.account_id, p_category, p_facts, false, piece.headline, 'rejected',
          jsonb_build_object('sub', piece.sub, 'body_md', piece.body_md))
  returning id into decision;
  return decision;
end
$$;

create function app.keep_withheld(p_product app.products, p_session app.sessions, p_category text, p_facts text)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision uuid;
begin
  insert into app.decisions (act, product_id, writer_id, moderator_id, category, facts, by_report, headline, to_status, kept)
  values ('withhold', p_product.id, p_product.writer_id, p_session.account_id, p_category, p_facts,
          app.is_reported('listing', p_product.id),
          coalesce((select p.name from pub.products p where p.id = p_product.id), p_product.name), 'draft',
          (select jsonb_build_object('product', to_jsonb(p), 'revision', p_product.listed_revision)
             from pub.products p where p.id = p_product.id))
  returning id into decision;
  delete from pub.products where id = p_product.id;
  update app.products set status = 'draft', listed_revision = null, withheld = p_facts where id = p_product.id;
  perform app.trail_product(p_product, p_session, 'withhold', 'draft', p_facts);
  return decision;
end
$$;

-- The listing, for this act alone until it is done; the session, of a moderator who does not sell it.
create function app.moderated_product(p_product uuid, p_session_hash bytea, out product app.products,
                                      out session app.sessions)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.id = p_product;
  select p.* into product from app.products p where p.id = p_product for update;
  session := app.signed_in(p_session_hash);
  if not app.moderates(session) then
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  if product.id is null then
    raise exception 'There is no such listing. The queue shows those that are reported.' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = product.writer_id and w.account_id = session.account_id) then
    raise exception 'Nobody judges their own listing. Leave it to another moderator.' using errcode = 'SF403';
  end if;
end
$$;

create function app.desk_withhold_product(p_product uuid, p_session_hash bytea, p_category text, p_facts text)
  returns table (decision uuid, product_slug text, seller text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own     record := app.moderated_product(p_product, p_session_hash);
  product app.products := own.product;
begin
  if product.status <> 'listed' then
    raise exception 'There is no such listing. The queue shows those that are reported.' using errcode = 'SF404';
  end if;
  return query
    select app.keep_withheld(product, own.session, p_category, p_facts), product.slug, w.slug
      from app.writers w where w.id = product.writer_id;
end
$$;

-- By the operator; without a reason it may be listed again, by its writer. Also of a listing that is not public at the
-- moment. Answers what to purge and the decision to tell of, if there is one; no row where no listing has the address.
create function app.withhold_product(p_slug text, p_reason text, p_category text default 'other')
  returns table (product_id uuid, seller text, decision uuid)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  product app.products;
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.slug = p_slug;
  select p.* into product from app.products p where p.slug = p_slug for update;
  if product.id is null then
    return;
  end if;
  if product.withheld is distinct from p_reason then
    if p_reason is not null then
      decision := app.keep_withheld(product, null, p_category, p_reason);
    else
      update app.products set withheld = null where id = product.id;
      perform app.trail_product(product, null, 'allow', 'draft');
      update app.decisions d set outcome = 'reversed', answer = 'The operator allowed it again.',
                                 decided_at = date_trunc('milliseconds', clock_timestamp())
       where d.product_id = product.id and d.outcome is null;
    end if;
  end if;
  product_id := product.id;
  select w.slug into seller from app.writers w where w.id = product.writer_id;
  return next;
end
$$;

-- ---------------------------------------------------------------------------------------------- appeals

-- An act of the trail that moves nothing.
create function app.trail_decision(p_decision app.decisions, p_session app.sessions, p_act text, p_note text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  select p_act, p.id, p.writer_id, p_session.account_id, p_session.id, app.shown_revision(p.id), p.editor_status,
         p.editor_status, p_note
    from app.pieces p where p.id = p_decision.piece_id;
  insert into app.product_audit (act, product_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  select p_act, p.id, p.writer_id, p_session.account_id, p_session.id, p.revision, p.status, p.status, p_note
    from app.products p where p.id = p_decision.product_id;
end
$$;

create function app.desk_appeal(p_decision uuid, p_session_hash bytea, p_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions;
  session  app.sessions;
begin
  select d.* into decision from app.decisions d where d.id = p_decision for update;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = decision.writer_id and w.account_id = session.account_id) then
    raise exception 'There is no such decision about your work. Open it from the piece or the listing.'
      using errcode = 'SF404';
  end if;
  if decision.appealed_at is not null then
    raise exception 'You have appealed this decision. A decision is appealed once.' using errcode = 'SF409';
  end if;
  if decision.outcome is not null then
    raise exception 'This decision was reversed. There is nothing to appeal.' using errcode = 'SF409';
  end if;
  if app.appeal_until(decision) < clock_timestamp() then
    raise exception 'A decision is appealed within six months. You can revise the piece and send it in for review.'
      using errcode = 'SF410';
  end if;
  update app.decisions set appeal = p_text, appealed_at = date_trunc('milliseconds', clock_timestamp())
   where id = decision.id;
  perform app.trail_decision(decision, session, 'appeal', null);
end
$$;

-- A decision with what it is about, locked: the writer or the piece first, as everywhere.
create function app.locked_decision(p_decision uuid) returns app.decisions
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions;
begin
  select d.* into decision from app.decisions d where d.id = p_decision;
  if decision.piece_id is not null then
    perform app.locked_piece(decision.piece_id);
  else
    perform app.lock_writer(decision.writer_id);
    perform from app.products p where p.id = decision.product_id for update;
  end if;
  select d.* into decision from app.decisions d where d.id = p_decision for update;
  return decision;
end
$$;

-- Whether nothing has overtaken the decision: no other was made about the same since, and its writer has not made it
-- public in the meantime.
create function app.is_last_word(p_decision app.decisions) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select not exists (select from app.decisions d
                        where d.id <> p_decision.id and d.at > p_decision.at
                          and (d.piece_id = p_decision.piece_id or d.product_id = p_decision.product_id))
       and not exists (select from app.audit t
                        where t.piece_id = p_decision.piece_id and t.at > p_decision.at and t.to_status = 'approved')
  $$;

-- Public again as it was, row for row. Whether it is.
create function app.bring_back(p_decision app.decisions, p_session app.sessions, p_note text) returns boolean
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

-- What deciding answers: what it was about, whether that is public now, and where to purge.
create type app.settled as (piece_id uuid, product_id uuid, writer_slug text, is_public boolean, was_appealed boolean);
revoke all on type app.settled from public;

create function app.settle_decision(p_decision app.decisions, p_session app.sessions, p_outcome text, p_answer text)
  returns app.settled
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  is_public boolean := false;
  answer    app.settled;
begin
  if p_decision.outcome is not null then
    raise exception 'This was decided already. Look at it once more.' using errcode = 'SF409';
  end if;
  if p_outcome is null or p_outcome <> all (array['upheld', 'reversed']) then
    raise exception 'A decision is upheld or reversed. Say which.' using errcode = 'SF400';
  end if;
  if p_outcome = 'upheld' and p_decision.appealed_at is null then
    raise exception 'Nobody has appealed this decision. It stands.' using errcode = 'SF409';
  end if;
  if p_outcome = 'reversed' and p_decision.act = 'take_down' and p_decision.kept is null then
    raise exception 'This was taken down more than six months ago, and what readers had is no longer kept. Its writer can send it in for review.'
      using errcode = 'SF410';
  end if;
  update app.decisions set outcome = p_outcome, answer = p_answer, decided_by = p_session.account_id,
                           decided_at = date_trunc('milliseconds', clock_timestamp())
   where id = p_decision.id;
  if p_outcome = 'reversed' then
    is_public := app.bring_back(p_decision, p_session, p_answer);
  else
    perform app.trail_decision(p_decision, p_session, 'uphold', p_answer);
  end if;
  update app.decisions set kept = null where id = p_decision.id;
  select p_decision.piece_id, p_decision.product_id, w.slug, is_public, p_decision.appealed_at is not null into answer
    from app.writers w where w.id = p_decision.writer_id;
  return answer;
end
$$;

create function app.desk_decide_appeal(p_decision uuid, p_session_hash bytea, p_outcome text, p_answer text)
  returns app.settled
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions := app.locked_decision(p_decision);
  session  app.sessions := app.signed_in(p_session_hash);
begin
  if not app.moderates(session) then
    raise exception 'Only moderators do this. An operator can make you one.' using errcode = 'SF403';
  end if;
  if decision.id is null then
    raise exception 'There is no such decision. The list shows those there are.' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = decision.writer_id and w.account_id = session.account_id) then
    raise exception 'Nobody decides about their own work. Leave it to another moderator.' using errcode = 'SF403';
  end if;
  if decision.appealed_at is not null and decision.moderator_id = session.account_id then
    raise exception 'You made this decision, so somebody else decides its appeal: another moderator, or the operator with "standfirst appeal".'
      using errcode = 'SF403';
  end if;
  return app.settle_decision(decision, session, p_outcome, p_answer);
end
$$;

-- By whoever holds the owner's credential, where there is no other moderator.
create function app.operator_decide_appeal(p_decision uuid, p_outcome text, p_answer text) returns app.settled
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision app.decisions := app.locked_decision(p_decision);
begin
  if decision.appealed_at is null then
    raise exception 'There is no appeal with this id. "standfirst appeal list" shows those that wait.'
      using errcode = 'SF404';
  end if;
  return app.settle_decision(decision, null, p_outcome, p_answer);
end
$$;

revoke all on function app.shown_revision(uuid), app.desk_take_down(uuid, bytea, text, text, text),
  app.desk_reject(uuid, bytea, text, text), app.keep_withheld(app.products, app.sessions, text, text),
  app.moderated_product(uuid, bytea), app.desk_withhold_product(uuid, bytea, text, text),
  app.withhold_product(text, text, text), app.trail_decision(app.decisions, app.sessions, text, text),
  app.desk_appeal(uuid, bytea, text), app.locked_decision(uuid), app.is_last_word(app.decisions),
  app.bring_back(app.decisions, app.sessions, text), app.settle_decision(app.decisions, app.sessions, text, text),
  app.desk_decide_appeal(uuid, bytea, text, text), app.operator_decide_appeal(uuid, text, text)
  from public;
grant execute on function app.desk_take_down(uuid, bytea, text, text, text), app.desk_reject(uuid, bytea, text, text),
  app.desk_withhold_product(uuid, bytea, text, text), app.desk_appeal(uuid, bytea, text),
  app.desk_decide_appeal(uuid, bytea, text, text)
  to svc_desk;
grant execute on function app.withhold_product(text, text, text), app.operator_decide_appeal(uuid, text, text),
  app.delivery_to_fill(uuid), app.fill_delivery(uuid, bytea)
  to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;

-- ---------------------------------------------------------------------------------------------- who reads them

-- What a writer is told of a decision. The moderators' names are not in it, and nothing of who reported.
create function app.decisions_about_me(p_session_hash bytea, p_about uuid, p_decision uuid)
  returns table (id uuid, at timestamptz, act text, piece_id uuid, product_id uuid, headline text, to_status text,
                 category text, facts text, by_report boolean, appeal text, appealed_at timestamptz, outcome text,
                 answer text, decided_at timestamptz, appeal_until timestamptz, can_appeal boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, d.piece_id, d.product_id, d.headline, d.to_status, d.category, d.facts, d.by_report,
           d.appeal, d.appealed_at, d.outcome, d.answer, d.decided_at, app.appeal_until(d),
           d.appealed_at is null and d.outcome is null and app.appeal_until(d) > clock_timestamp()
      from app.decisions d join app.writers w on w.id = d.writer_id
     where w.account_id = session.account_id
       and (p_about is null or p_about in (d.piece_id, d.product_id)) and (p_decision is null or d.id = p_decision)
     order by d.at desc, d.id desc limit 100;
end
$$;

-- For moderators: open appeals, the longest waiting first, or every decision, newest first. Not those about what is their
-- own. `p_decision` asks for one, with what was decided about.
create function app.decisions_for_review(p_session_hash bytea, p_appeals boolean, p_decision uuid, p_from timestamptz,
                                         p_from_id uuid, p_limit integer)
  returns table (id uuid, at timestamptz, act text, piece_id uuid, product_id uuid, headline text, to_status text,
                 category text, facts text, by_report boolean, appeal text, appealed_at timestamptz, outcome text,
                 answer text, decided_at timestamptz, writer_slug text, writer_name text, moderator text, is_mine boolean,
                 decided_by text, can_reverse boolean, kept jsonb)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, d.piece_id, d.product_id, d.headline, d.to_status, d.category, d.facts, d.by_report,
           d.appeal, d.appealed_at, d.outcome, d.answer, d.decided_at, w.slug, w.name, m.name,
           d.moderator_id is not distinct from session.account_id, j.name,
           d.outcome is null and (d.act <> 'take_down' or d.kept is not null),
           case when p_decision is not null then d.kept end
      from app.decisions d join app.writers w on w.id = d.writer_id
      left join app.accounts m on m.id = d.moderator_id
      left join app.accounts j on j.id = d.decided_by
     where w.account_id is distinct from session.account_id
       and (p_decision is null or d.id = p_decision)
       and (not p_appeals or (d.appealed_at is not null and d.outcome is null and (d.appealed_at, d.id) > (p_from, p_from_id)))
       and (p_appeals or (d.at, d.id) < (p_from, p_from_id))
     order by case when p_appeals then d.appealed_at end, case when p_appeals then d.id end, d.at desc, d.id desc
     limit p_limit;
end
$$;

-- For the worker: what the email says and where it goes; no row for whoever is gone.
create function app.decision_email(p_decision uuid, p_to text)
  returns table (email text, act text, headline text, to_status text, category text, facts text, by_report boolean,
                 was_appealed boolean, outcome text, answer text, appeal_until timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.email, d.act, d.headline, d.to_status, d.category, d.facts, d.by_report, d.appealed_at is not null,
           d.outcome, d.answer, app.appeal_until(d)
      from app.decisions d
      left join app.writers w on w.id = d.writer_id
      join app.accounts a on a.id = case p_to when 'writer' then w.account_id else d.moderator_id end
     where d.id = p_decision and a.disabled_at is null
  $$;

-- For the operator: what waits.
create function app.appeals_waiting()
  returns table (id uuid, appealed_at timestamptz, headline text, category text, facts text, appeal text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select d.id, d.appealed_at, d.headline, d.category, d.facts, d.appeal from app.decisions d
     where d.appealed_at is not null and d.outcome is null order by d.appealed_at, d.id
  $$;

create function app.sweep_decisions() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.decisions d set kept = null
     where d.kept is not null and d.at < clock_timestamp() - interval '6 months'
       and (d.appealed_at is null or d.outcome is not null)
  $$;

revoke all on function app.decisions_about_me(bytea, uuid, uuid),
  app.decisions_for_review(bytea, boolean, uuid, timestamptz, uuid, integer), app.decision_email(uuid, text),
  app.appeals_waiting(), app.sweep_decisions()
  from public;
grant execute on function app.decisions_about_me(bytea, uuid, uuid),
  app.decisions_for_review(bytea, boolean, uuid, timestamptz, uuid, integer) to svc_desk;
grant execute on function app.decision_email(uuid, text), app.sweep_decisions() to svc_worker;

-- As in 0034, with what became of appeals, and with listings.
drop index app.audit_of_moderators;
create index audit_of_moderators on app.audit (at, id)
  where act in ('approve', 'request_changes', 'reject', 'take_down', 'dismiss_reports', 'uphold', 'reinstate');
drop function app.deeds_for_review(bytea, timestamptz, bigint, integer);
create function app.deeds_for_review(p_session_hash bytea, p_before timestamptz, p_before_id bigint, p_limit integer)
  returns table (id bigint, at timestamptz, act text, moderator text, piece_id uuid, headline text, writer_slug text,
                 writer_name text, note text, is_public boolean, listing text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.moderating(p_session_hash);
begin
  return query
    select d.id, d.at, d.act, m.name, d.piece_id,
           coalesce(p.headline, case when d.piece_id is not null then app.headline_readers_had(d.piece_id, d.id / 3) end),
           w.slug, w.name, d.note, p.id is not null, s.slug
      from ((select t.id * 3 as id, t.at, t.act, t.account_id, t.piece_id, null::uuid as product_id, t.writer_id, t.note
               from app.audit t
              where t.act in ('approve', 'request_changes', 'reject', 'take_down', 'dismiss_reports', 'uphold', 'reinstate')
                and (t.at, t.id * 3) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)
            union all
            (select t.id * 3 + 1, t.at, t.act, t.account_id, null, null, t.writer_id, t.note from app.writer_audit t
              where t.act in ('verify_identity', 'withdraw_identity', 'suspend', 'restore')
                and (t.at, t.id * 3 + 1) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)
            union all
            (select t.id * 3 + 2, t.at, t.act, t.account_id, null, t.product_id, t.writer_id, t.note from app.product_audit t
              where t.act in ('withhold', 'dismiss_reports', 'uphold', 'reinstate')
                and (t.at, t.id * 3 + 2) < (p_before, p_before_id)
                and t.writer_id is distinct from (select o.id from app.writers o where o.account_id = session.account_id)
              order by t.at desc, t.id desc limit p_limit)) d
      left join app.accounts m on m.id = d.account_id
      left join app.writers w on w.id = d.writer_id
      left join pub.pieces p on p.id = d.piece_id
      left join app.product_slugs s on s.product_id = d.product_id
     order by d.at desc, d.id desc
     limit p_limit;
end
$$;
revoke all on function app.deeds_for_review(bytea, timestamptz, bigint, integer) from public;
grant execute on function app.deeds_for_review(bytea, timestamptz, bigint, integer) to svc_desk;
