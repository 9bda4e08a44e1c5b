-- Proof at the moment of publishing: a session that was opened days ago is not enough to put words before readers.
--
-- What a site asks of its writers is its setting (PUBLISH_PROOF): a session; a sign-in or confirmation of the last 12
-- hours; or a passkey shown within ten minutes. A moderator needs at least the second, and a passkey once they
-- have one. The receipt of a publication says by what its person was known, and how long before.
-- Errors: SF401 no live session, SF403 no passkey where one is asked for, SF42R signed in too long ago for this, SF4PP
-- not by passkey.
--
-- Lock: ACCESS EXCLUSIVE on app.sessions for an instant.

set local role svc_owner;

alter table app.sessions
  -- What opened or last confirmed it.
  add column authenticated_by text not null default 'password' check (authenticated_by in ('password', 'passkey'));

create or replace function app.open_session_by_passkey(p_credential_id bytea, p_seal bytea, p_counter bigint,
                                                       p_token_hash bytea, p_user_agent text, p_address text,
                                                       p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.account_sealed(p_credential_id, p_seal, p_counter, null);
begin
  if account is null then
    return null;
  end if;
  perform app.start_session_by_passkey(account, p_token_hash, p_user_agent, p_address, p_replaced);
  return account;
end
$$;

create function app.start_session_by_passkey(p_account uuid, p_token_hash bytea, p_user_agent text, p_address text,
                                             p_replaced bytea) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.start_session(p_account, p_token_hash, p_user_agent, p_address, p_replaced);
  update app.sessions s set authenticated_by = 'passkey' where s.token_hash = p_token_hash;
end
$$;

create or replace function app.renew_session_by_passkey(p_session_hash bytea, p_credential_id bytea, p_seal bytea,
                                                        p_counter bigint, p_token_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  if app.account_sealed(p_credential_id, p_seal, p_counter, session.account_id) is null then
    return null;
  end if;
  perform app.start_session_by_passkey(session.account_id, p_token_hash, session.user_agent, session.address,
                                       p_session_hash);
  return session.account_id;
end
$$;

create or replace function app.add_first_passkey(p_letter_hash bytea, p_credential_id bytea, p_public_key bytea,
                                                 p_counter bigint, p_transports text[], p_passkey_name text,
                                                 p_seal_hash bytea, p_name text, p_slug text, p_search_text text,
                                                 p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.take_token(p_letter_hash, 'verify');
begin
  perform app.keep_passkey(token.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_passkey_name,
                           p_seal_hash);
  perform app.welcome(token.account_id, p_name, p_slug, p_search_text);
  perform app.start_session_by_passkey(token.account_id, p_token_hash, p_user_agent, p_address, p_replaced);
  return token.account_id;
end
$$;

create function app.demand_proof(p_session_hash bytea, p_policy text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session     app.sessions := app.signed_in(p_session_hash);
  moderates   boolean := (select a.role <> 'writer' from app.accounts a where a.id = session.account_id);
  has_passkey boolean := exists (select from app.passkeys k where k.account_id = session.account_id);
  is_recent   boolean := session.authenticated_at > clock_timestamp() - interval '12 hours';
begin
  if p_policy = 'passkey' and not has_passkey then
    raise exception 'This site asks for a passkey here, and you have none. Add one under Account, then try again.'
      using errcode = 'SF403';
  elsif (p_policy = 'passkey' and not (session.authenticated_by = 'passkey' and app.is_fresh(session)))
     or (moderates and has_passkey and not (session.authenticated_by = 'passkey' and is_recent)) then
    raise exception 'This needs your passkey. Confirm it, then try again.' using errcode = 'SF4PP';
  elsif (p_policy = 'recent' or moderates) and not is_recent then
    raise exception 'This needs a sign-in of the last 12 hours. Confirm your password or passkey, then try again.'
      using errcode = 'SF42R';
  end if;
end
$$;
revoke all on function app.start_session_by_passkey(uuid, bytea, text, text, bytea), app.demand_proof(bytea, text)
  from public;
grant execute on function app.demand_proof(bytea, text) to svc_desk;

grant create on schema app to svc_publisher;
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
           'proof', (select jsonb_build_object(
                       'method', s.authenticated_by,
                       'seconds', greatest(floor(extract(epoch from clock_timestamp() - s.authenticated_at)), 0)::integer)
                       from app.sessions s where s.id = new.session_id),
           'revision', new.revision,
           'revisions_by_key', array(
              select r.revision from app.past_revisions r
               where r.piece_id = shown.id and r.key_id is not null and r.revision < new.revision
              union all
              select new.revision where chain.saved_by_key is not null
              order by 1),
           'first_published', app.iso_time(shown.published_at),
           'published', app.iso_time(shown.modified_at))
    from pub.pieces shown join pub.authors author on author.id = shown.author_id
   where shown.id = new.piece_id
  on conflict (piece_id) do update set receipt = excluded.receipt, key_id = null, signature = null;
  return null;
end
$$;

set local role svc_owner;
revoke create on schema app from svc_publisher;
