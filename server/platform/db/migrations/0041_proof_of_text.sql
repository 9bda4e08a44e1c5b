-- A passkey that is shown in order to publish is shown for one text: its challenge belongs to the nonce of the revision
-- that the person looked at, and proves nothing for another. And whoever confirms who they are goes on in the session
-- they have, under a new token, so that what they looked at is still theirs to publish.
--
-- Errors: as in 0031.
--
-- Lock: ACCESS EXCLUSIVE on app.challenges and app.publish_nonces for an instant.

set local role svc_owner;

alter table app.challenges add column nonce_hash bytea;
alter table app.publish_nonces
  -- When a passkey was shown for it.
  add column proved_at timestamptz;

drop function app.new_challenge(bytea, text, bytea);
create function app.new_challenge(p_challenge_hash bytea, p_purpose text, p_holder bytea, p_nonce_hash bytea)
  returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.challenges (challenge_hash, purpose, account_id, nonce_hash)
    values (p_challenge_hash, p_purpose, app.challenge_holder(p_purpose, p_holder), p_nonce_hash)
  $$;

-- True once, for whom and for what it was made, within five minutes.
drop function app.take_challenge(bytea, text, bytea);
create function app.take_challenge(p_challenge_hash bytea, p_purpose text, p_holder bytea, p_nonce_hash bytea)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  holder uuid := app.challenge_holder(p_purpose, p_holder);
begin
  delete from app.challenges c
   where c.challenge_hash = p_challenge_hash and c.purpose = p_purpose and c.account_id is not distinct from holder
     and c.nonce_hash is not distinct from p_nonce_hash and c.expires_at > clock_timestamp();
  return found;
end
$$;

-- The same session under a new token; whoever has the old one has nothing.
create function app.continue_session(p_session app.sessions, p_token_hash bytea, p_method text) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.sessions s
       set token_hash = p_token_hash, authenticated_by = p_method, authenticated_at = clock_timestamp(),
           last_seen_at = clock_timestamp(), expires_at = clock_timestamp() + interval '14 days'
     where s.id = p_session.id
  $$;

create or replace function app.renew_session(p_session_hash bytea, p_attempt uuid, p_proof bytea, p_token_hash bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  account uuid;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  account := app.account_proven(
    p_attempt, (select a.email from app.accounts a where a.id = session.account_id), p_proof);
  if account is null then
    return null;
  end if;
  perform app.continue_session(session, p_token_hash, 'password');
  return account;
end
$$;

-- `p_nonce_hash`: of the text that the passkey was shown for, null for none.
drop function app.renew_session_by_passkey(bytea, bytea, bytea, bigint, bytea);
create function app.renew_session_by_passkey(p_session_hash bytea, p_credential_id bytea, p_seal bytea,
                                             p_counter bigint, p_token_hash bytea, p_nonce_hash bytea) returns uuid
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
  update app.publish_nonces n set proved_at = clock_timestamp()
   where n.nonce_hash = p_nonce_hash and n.session_id = session.id and n.used_at is null;
  perform app.continue_session(session, p_token_hash, 'passkey');
  return session.account_id;
end
$$;

-- `p_nonce_hash`: of the text that goes before readers; null for an act that is of no text, for which the site's own
-- setting asks for a passkey shown within ten minutes.
drop function app.demand_proof(bytea, text);
create function app.demand_proof(p_session_hash bytea, p_policy text, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session     app.sessions := app.signed_in(p_session_hash);
  moderates   boolean := (select a.role <> 'writer' from app.accounts a where a.id = session.account_id);
  has_passkey boolean := exists (select from app.passkeys k where k.account_id = session.account_id);
  by_passkey  boolean := session.authenticated_by = 'passkey';
  is_recent   boolean := session.authenticated_at > clock_timestamp() - interval '12 hours';
  is_shown    boolean := case
    when p_nonce_hash is null then by_passkey and app.is_fresh(session)
    else exists (select from app.publish_nonces n
                  where n.nonce_hash = p_nonce_hash and n.session_id = session.id and n.proved_at is not null) end;
begin
  if p_policy = 'passkey' and not has_passkey then
    raise exception 'This site asks for a passkey here, and you have none. Add one under Account, then try again.'
      using errcode = 'SF403';
  elsif (p_policy = 'passkey' and not is_shown) or (moderates and has_passkey and not (by_passkey and is_recent)) then
    raise exception 'This needs your passkey. Confirm it, then try again.' using errcode = 'SF4PP';
  elsif (p_policy = 'recent' or moderates) and not is_recent then
    raise exception 'This needs a sign-in of the last 12 hours. Confirm your password or passkey, then try again.'
      using errcode = 'SF42R';
  end if;
end
$$;

revoke all on function app.continue_session(app.sessions, bytea, text), app.new_challenge(bytea, text, bytea, bytea),
  app.take_challenge(bytea, text, bytea, bytea), app.demand_proof(bytea, text, bytea),
  app.renew_session_by_passkey(bytea, bytea, bytea, bigint, bytea, bytea) from public;
grant execute on function app.new_challenge(bytea, text, bytea, bytea), app.take_challenge(bytea, text, bytea, bytea),
  app.demand_proof(bytea, text, bytea), app.renew_session_by_passkey(bytea, bytea, bytea, bigint, bytea, bytea)
  to svc_desk;

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
                       'method', case when n.proved_at is null then s.authenticated_by else 'passkey' end,
                       'seconds', greatest(floor(extract(epoch from
                          clock_timestamp() - coalesce(n.proved_at, s.authenticated_at))), 0)::integer,
                       'of_this_revision', n.proved_at is not null)
                       from app.sessions s
                       left join app.publish_nonces n on n.session_id = s.id and n.piece_id = new.piece_id
                        and n.revision = new.revision and n.used_at is not null
                      where s.id = new.session_id
                      order by n.used_at desc limit 1),
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
