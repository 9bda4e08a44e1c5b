import { policySeconds } from '#config/policy.ts'
import { type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { message } from '#messages/message.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { openingOf } from './desk.ts'
import { deskListLimits, type TrashList, type TrashPage } from './desk-schema.ts'
import { actorOf } from './history.ts'
import { cutPage, latest, parseCursor } from './keyset.ts'

/** Pieces deleted by a writer or their API keys, kept for 30 days. Only the writer can list, restore or empty them. */

interface TrashRow {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly body_md: string
  readonly deleted_at: Date
  readonly by_key: boolean
  readonly key_name: string | null
}

export async function listTrash(
  { db }: DeskContext,
  writer: Writer,
  { limit = deskListLimits.default, cursor }: TrashList,
): Promise<TrashPage> {
  const after = parseCursor('trash', cursor, latest)
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<TrashRow>(
      `select t.id, t.headline, t.sub, t.body_md, t.deleted_at, a.key_id is not null as by_key,
              app.key_name(a.key_id) as key_name
         from app.trash_of($1, $2, $3, $4) t
              left join lateral (select key_id from app.audit where piece_id = t.id and act = 'delete'
                                  order by id desc limit 1) a on true
        order by t.deleted_at desc, t.id desc`,
      [writer.sessionHash, after.time, after.id, limit + 1],
    )
    return rows
  })
  const { page, next_cursor } = cutPage('trash', rows, limit, (row) => row.deleted_at)
  const pieces = page.map(({ id, headline, sub, body_md, deleted_at, by_key, key_name }) => ({
    id,
    headline,
    sub,
    opening: openingOf(body_md),
    deleted_at: deleted_at.toISOString(),
    deleted_by: actorOf({ by_key, key_name }),
    gone_at: new Date(deleted_at.getTime() + policySeconds('trash_retention') * 1000).toISOString(),
  }))
  return { ok: true, count: pieces.length, pieces, next_cursor }
}

export async function restorePiece({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  requireUuid(id)
  await db.run({ text: 'select app.restore_piece($1, $2)', values: [writer.sessionHash, id] })
}

export async function deleteForGood({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  requireUuid(id)
  await db.run({ text: 'select app.empty_trash($1, $2, 1)', values: [writer.sessionHash, id] })
}

/** Per statement, as in offboarding/delete-account.ts: a piece that was read a lot has many counts to delete. */
const batch = 25

export async function emptyTrash({ db }: DeskContext, writer: Writer): Promise<void> {
  await deleteInBatches(db, 'select app.empty_trash($1, null, $2) as gone', [writer.sessionHash, batch])
}

/** Deletes what has been in the trash for 30 days. */
export async function sweepTrash(db: Database): Promise<void> {
  await deleteInBatches(db, 'select app.sweep_trash($1) as gone', [batch])
}

async function deleteInBatches(db: Database, text: string, values: unknown[]): Promise<void> {
  for (let gone = batch; gone === batch; ) {
    const [row] = await db.run<{ gone: number }>({ text, values })
    gone = row!.gone
  }
}

function requireUuid(id: string): void {
  if (!isUuid(id)) throw notFound(message('error.not_in_trash'))
}
