-- Who becomes a writer: by invitation where the site wants it, with a limit of emails to strangers, and with a second
-- reader for their first pieces.
--
-- An invitation is a link that a moderator or the operator made: for one account, and for two weeks. Whoever has it gives
-- an address of their own and confirms it like everybody; it is used up when the account is complete, so that an email
-- that is lost costs nobody an invitation. It asks for five emails at most.
-- Emails that strangers can make us send are counted by the hour, all together.
-- Errors: SF401 no live session, SF403 no moderator, SF404 no such invitation, SF410 an invitation that does not work,
-- SF419 enough invitations.
--
-- Lock: ACCESS EXCLUSIVE on app.accounts for an instant.

set local role svc_owner;

-- ---------------------------------------------------------------------------------------------- invitations

create table app.invitations (
  id         uuid        primary key default gen_random_uuid(),
  token_hash bytea       not null unique check (octet_length(token_hash) = 32),
  -- Null for the operator, and for a moderator who has left.
  made_by    uuid        references app.accounts on delete set null,
  -- Where it was sent, until it is used; null where its link was given by hand.
  email      text        check (email = lower(email) and char_length(email) between 3 and 254),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()) + interval '14 days',
  asked      integer     not null default 0,
  used_at    timestamptz,
  used_by    uuid        references app.accounts on delete cascade
);
create index invitations_by_time on app.invitations (created_at);
create index invitations_by_maker on app.invitations (made_by, created_at);
create index invitations_used_by on app.invitations (used_by);

-- By which it signed up; no foreign key, since one that was withdrawn must not turn into none.
alter table app.accounts add column invitation_id uuid;

create function app.desk_invite(p_session_hash bytea, p_token_hash bytea, p_email text)
  returns table (id uuid, expires_at timestamptz)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.moderating(p_session_hash);
  if (select count(*) from app.invitations i
       where i.made_by = session.account_id and i.created_at > clock_timestamp() - interval '1 day') >= 50 then
    raise exception 'You have made 50 invitations within a day, which is the most. Try again tomorrow.'
      using errcode = 'SF419';
  end if;
  return query
    insert into app.invitations as made (token_hash, made_by, email) values (p_token_hash, session.account_id, p_email)
    returning made.id, made.expires_at;
end
$$;

create function app.invitations_for_review(p_session_hash bytea, p_limit integer)
  returns table (id uuid, made_by text, email text, created_at timestamptz, expires_at timestamptz, used_at timestamptz,
                 used_by text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select i.id, m.name, i.email, i.created_at, i.expires_at, i.used_at, u.name
      from app.invitations i left join app.accounts m on m.id = i.made_by left join app.accounts u on u.id = i.used_by
     where i.used_at is not null or i.expires_at > clock_timestamp()
     order by i.created_at desc, i.id limit p_limit;
end
$$;

-- Whoever asked for an email with it and has not confirmed it comes too late.
create function app.withdraw_invitation(p_session_hash bytea, p_invitation uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  delete from app.invitations i where i.id = p_invitation and i.used_at is null;
  if not found then
    raise exception 'There is no such invitation, or it was used already.' using errcode = 'SF404';
  end if;
end
$$;

-- Before an email is asked for. The answer depends on the invitation alone, never on the address.
create function app.ask_by_invitation(p_token_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.invitations i set asked = i.asked + 1
   where i.token_hash = p_token_hash and i.used_at is null and i.expires_at > clock_timestamp() and i.asked < 5;
  if not found then
    raise exception 'This invitation was used already, is too old, or was taken back. Ask for a new one.'
      using errcode = 'SF410';
  end if;
end
$$;

-- For the worker, once there is an account to confirm. Answers whether the invitation still works.
create function app.invite_account(p_email text, p_token_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.accounts a set invitation_id = i.id
    from app.invitations i
   where a.email = p_email and a.email_verified_at is null
     and i.token_hash = p_token_hash and i.used_at is null and i.expires_at > clock_timestamp();
  return found;
end
$$;

create function app.use_invitation() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.invitations i set used_at = clock_timestamp(), used_by = new.id, email = null
   where i.id = new.invitation_id and i.used_at is null and i.expires_at > clock_timestamp();
  if not found then
    raise exception 'Your invitation was used by somebody else, is too old, or was taken back. Ask for a new one.'
      using errcode = 'SF410';
  end if;
  return null;
end
$$;
create trigger use_invitation after update of email_verified_at on app.accounts
  for each row when (old.email_verified_at is null and new.email_verified_at is not null and new.invitation_id is not null)
  execute function app.use_invitation();
alter table app.accounts enable always trigger use_invitation;

-- One that was sent to an address goes with the account that has it, used or not.
create function app.forget_invitations() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.invitations i where i.email = old.email;
  return null;
end
$$;
create trigger forget_invitations after delete on app.accounts
  for each row when (old.email_verified_at is not null) execute function app.forget_invitations();
alter table app.accounts enable always trigger forget_invitations;
create index invitations_by_email on app.invitations (email) where email is not null;

-- ---------------------------------------------------------------------------------------------- emails to strangers

create table app.sign_up_emails (
  hour timestamptz primary key,
  sent integer     not null check (sent >= 0)
);

-- Takes one of the emails of this hour and day, or answers false where there is none left.
create function app.take_sign_up_email(p_per_hour integer, p_per_day integer) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  this_hour timestamptz := date_trunc('hour', clock_timestamp(), 'UTC');
  so_far    integer;
begin
  insert into app.sign_up_emails as kept (hour, sent) values (this_hour, 1)
  on conflict (hour) do update set sent = kept.sent + 1
  returning sent into so_far;
  if so_far <= p_per_hour
     and (select sum(e.sent) from app.sign_up_emails e where e.hour > this_hour - interval '24 hours') <= p_per_day then
    return true;
  end if;
  update app.sign_up_emails e set sent = e.sent - 1 where e.hour = this_hour;
  return false;
end
$$;

-- One that could not be sent. An hour that began meanwhile lends none.
create function app.give_back_sign_up_email() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.sign_up_emails e set sent = e.sent - 1
     where e.hour = date_trunc('hour', clock_timestamp(), 'UTC') and e.sent > 0
  $$;

create function app.sweep_sign_ups() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    delete from app.sign_up_emails e where e.hour < now() - interval '2 days';
    delete from app.invitations i where i.expires_at < now() - interval '30 days';
  $$;

-- ---------------------------------------------------------------------------------------------- first pieces

-- Whether this person signed up, and fewer of their pieces than that were ever public and not taken down. Whom the
-- operator added is vouched for.
create function app.is_new_writer(p_session_hash bytea, p_pieces integer) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.signed_up_at is not null and p_pieces > (
             select count(*) from (
               select from app.audit t join app.writers w on w.id = t.writer_id
                where w.account_id = a.id and t.act in ('publish', 'approve', 'take_down')
                group by t.piece_id having not bool_or(t.act = 'take_down')) good)
      from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.desk_invite(bytea, bytea, text), app.invitations_for_review(bytea, integer),
  app.withdraw_invitation(bytea, uuid), app.ask_by_invitation(bytea), app.invite_account(text, bytea),
  app.use_invitation(), app.forget_invitations(), app.take_sign_up_email(integer, integer), app.give_back_sign_up_email(), app.sweep_sign_ups(),
  app.is_new_writer(bytea, integer) from public;
grant execute on function app.desk_invite(bytea, bytea, text), app.invitations_for_review(bytea, integer),
  app.withdraw_invitation(bytea, uuid), app.ask_by_invitation(bytea), app.is_new_writer(bytea, integer) to svc_desk;
grant execute on function app.invite_account(text, bytea), app.take_sign_up_email(integer, integer),
  app.give_back_sign_up_email(), app.sweep_sign_ups() to svc_worker;
