import type pg from 'pg'

/** Records every change of the public schema pub with the test's own triggers, independent of the code under test. */

const tables = {
  authors: 'id',
  former_slugs: 'author_id',
  media: 'shown_by',
  pieces: 'id',
  piece_contents: 'piece_id',
  piece_texts: 'piece_id',
  products: 'id',
  receipts: 'piece_id',
}

interface Change {
  readonly relation: string
  readonly op: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly id: string
  readonly transaction: string
  /** What the audit trail says was done in the same transaction. */
  readonly acts: string[]
}

export async function watchPublicSchema(admin: pg.Pool): Promise<void> {
  await admin.query(`
    create table public.seen (relation text, op text, id uuid, transaction xid8 default pg_current_xact_id());
    create function public.note_change() returns trigger language plpgsql security definer as $$
    begin
      insert into public.seen (relation, op, id)
      values (tg_table_name, tg_op, (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid);
      return null;
    end $$`)
  for (const [table, key] of Object.entries(tables)) {
    await admin.query(`create trigger zz_noted after insert or update or delete on pub.${table}
      for each row execute function public.note_change('${key}')`)
    await admin.query(`alter table pub.${table} enable always trigger zz_noted`)
  }
}

/** The changes since the last call. */
export async function takeChanges(admin: pg.Pool): Promise<Change[]> {
  const { rows } = await admin.query<Change>(`
    with taken as (delete from public.seen returning *)
    select relation, op, id, transaction::text,
           coalesce((select array_agg(a.act) from (
                select act, xmin from app.audit union all select act || '_product', xmin from app.product_audit union all
                select act || '_writer', xmin from app.writer_audit where act in ('suspend', 'restore')) a
              where a.xmin::text::bigint = taken.transaction::text::bigint % 4294967296), '{}') as acts
      from taken`)
  return rows
}

/** Writers and moderators hide pieces at the desk without a nonce. Any other change that is not a publish is a breach. */
export function isHiding({ relation, op, acts }: Change): boolean {
  const hides = acts.some((act) =>
    ['unpublish', 'take_down', 'withdraw_product', 'withhold_product', 'suspend_writer'].includes(act),
  )
  return hides && (op === 'DELETE' || (op === 'UPDATE' && relation === 'authors'))
}

/** A moderator ends a suspension: what was public before is public again. The canary check covers its content. */
export const isRestoring = ({ op, acts }: Change): boolean => op !== 'DELETE' && acts.includes('restore_writer')

/**
 * A writer changes their public profile at the desk: `writer` is the only one whose session is among the callers. No
 * profile becomes public this way.
 */
export const isOwnProfile = ({ relation, op, id }: Change, writer: string): boolean =>
  id === writer && (relation === 'former_slugs' || (relation === 'authors' && op === 'UPDATE'))
