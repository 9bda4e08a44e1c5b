set local role svc_publisher;

-- `p_hash` is of the whole receipt: what the next one calls the one before.
create or replace function app.sign_receipt(p_piece uuid, p_content text, p_hash bytea, p_key_id text, p_public_key bytea,
                                 p_signature bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update pub.receipts r set
    receipt = r.receipt || jsonb_build_object('content', p_content), key_id = p_key_id, signature = p_signature
   where r.piece_id = p_piece and r.signature is null;
  if not found then
    raise exception 'error.receipt_not_found' using errcode = 'SF409';
  end if;
  update app.pieces set receipt_hash = p_hash where id = p_piece;
  if not exists (select from pub.receipt_keys k where k.id = p_key_id) then
    insert into pub.receipt_keys (id, public_key) values (p_key_id, p_public_key) on conflict (id) do nothing;
  end if;
end
$$;

revoke all on function app.sign_receipt(uuid, text, bytea, text, bytea, bytea) from public;
grant execute on function app.sign_receipt(uuid, text, bytea, text, bytea, bytea) to svc_desk, svc_worker;
