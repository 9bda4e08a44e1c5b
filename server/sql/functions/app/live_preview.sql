set local role svc_publisher;

-- The one meaning of a live token: in time, of an account that is not barred and may still look at the piece. A link
-- does not work while its piece is rejected, from a takedown until the piece is public again, and while its writer is
-- suspended. A moderator reads what waits for review all the same,
-- and so do those whom its writer lets read it (app.may_read_draft).
create or replace function app.live_preview(p_token_hash bytea) returns app.previews
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews;
begin
  select v.* into live
    from app.previews v join app.accounts a on a.id = v.account_id
         join app.pieces p on p.id = v.piece_id join app.writers w on w.id = p.writer_id
   where v.token_hash = p_token_hash and v.expires_at > clock_timestamp() and a.disabled_at is null
     and (app.may_read_draft(p, v.account_id)
          or p.editor_status = 'pending' and a.role in ('moderator', 'operator'))
     and (v.revision is not null or p.editor_status <> 'rejected' and not app.is_taken_down(p.id))
     and (w.account_id is distinct from v.account_id
          or not exists (select from app.suspensions s where s.writer_id = w.id));
  return live;
end
$$;

revoke all on function app.live_preview(bytea) from public;
