set local role svc_owner;

-- Nobody answers for another, not even a superuser: an answer names a session of the invited person themselves.
create or replace function app.guard_consent() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'UPDATE' and new.answer is not distinct from old.answer and new.writer_id = old.writer_id
     and new.piece_id = old.piece_id and new.invited_by = old.invited_by and new.answered_in = old.answered_in then
    return new;
  end if;
  if not exists (select from app.sessions s join app.writers w on w.account_id = s.account_id
                  where s.id = new.answered_in and s.revoked_at is null and w.id = new.writer_id) then
    raise insufficient_privilege using message = 'only the invited writer answers, in a session of theirs';
  end if;
  return new;
end
$$;

revoke all on function app.guard_consent() from public;
