import { type Person, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { message } from '#messages/message.ts'
import { isUuid } from '#platform/cursor.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Passage } from '#platform/text/passages.ts'
import type { Maker, NewComment, Outcome, Reply, Settled, Thread, Threads } from './schema.ts'

/**
 * Comments and suggestions at the desk. Who sees and does what is decided by the database: `app.comment_role`, and the
 * functions that use it.
 */

interface Row {
  readonly id: string
  readonly thread_id: string | null
  readonly made_by: Maker
  readonly name: string | null
  readonly is_mine: boolean
  readonly may_settle: boolean
  readonly may_delete: boolean
  readonly body: string
  readonly replacement: string | null
  readonly quote: string | null
  readonly before: string | null
  readonly after: string | null
  readonly position: number | null
  readonly created_at: Date
  readonly resolved_at: Date | null
  readonly outcome: Outcome | null
}

/** Oldest first, each with its replies. */
export async function commentsOf({ db }: DeskContext, person: Person, piece: string): Promise<Threads> {
  requirePiece(piece)
  const rows = await db.run<Row>({
    text: 'select * from app.comments_of($1, $2)',
    values: [piece, person.sessionHash],
  })
  const replies = Map.groupBy(rows, ({ thread_id }) => thread_id)
  const threads = (replies.get(null) ?? []).map((row) => presentThread(row, replies.get(row.id) ?? []))
  return { ok: true, count: threads.length, threads }
}

const presentReply = ({ id, made_by, name, is_mine, may_delete, body, created_at }: Row): Reply => ({
  ...{ id, made_by, name, is_mine, may_delete, body },
  created_at: created_at.toISOString(),
})

const presentThread = (row: Row, replies: readonly Row[]): Thread => ({
  ...presentReply(row),
  may_settle: row.may_settle,
  passage:
    row.quote === null
      ? null
      : { quote: row.quote, before: row.before ?? '', after: row.after ?? '', position: row.position ?? 0 },
  replacement: row.replacement,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  outcome: row.outcome,
  replies: replies.map(presentReply),
})

export async function addComment(
  { db }: DeskContext,
  person: Person,
  piece: string,
  id: string,
  { body, thread = null, passage = null, replacement = null }: NewComment,
): Promise<void> {
  requirePiece(piece)
  if (thread !== null && (passage || replacement !== null)) {
    throw invalid([{ pointer: '/thread', code: 'unexpected', detail: 'a reply has no passage' }])
  }
  if (body.trim() === '' && replacement === null) {
    throw invalid([{ pointer: '/body', code: 'empty', detail: 'must say something' }])
  }
  if (replacement !== null && !passage) {
    throw invalid([{ pointer: '/passage', code: 'missing', detail: 'a suggestion needs the passage that it replaces' }])
  }
  const values = [id, piece, person.sessionHash, thread, body.trim(), replacement, ...columnsOf(passage)]
  await withSession(db, person, (tx) =>
    tx.query('select app.add_comment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', values),
  )
}

export const columnsOf = (passage: Passage | null): readonly (string | number | null)[] =>
  passage ? [passage.quote, passage.before, passage.after, passage.position] : [null, null, null, null]

export async function settleComment(
  { db }: DeskContext,
  person: Person,
  piece: string,
  id: string,
  { resolved, outcome = null }: Settled,
): Promise<void> {
  requirePiece(piece)
  await db.run({
    text: 'select app.settle_comment($1, $2, $3, $4, $5)',
    values: [piece, id, person.sessionHash, resolved, outcome],
  })
}

export async function deleteComment({ db }: DeskContext, person: Person, piece: string, id: string): Promise<void> {
  requirePiece(piece)
  await db.run({ text: 'select app.delete_comment($1, $2, $3)', values: [piece, id, person.sessionHash] })
}

function requirePiece(id: string): void {
  if (!isUuid(id)) throw notFound(message('error.piece_not_found'))
}
