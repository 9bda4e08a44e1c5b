import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Writer } from '#features/accounts/session-user.ts'
import type { Review } from '#platform/abuse-settings.ts'
import type { DeskContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { containing } from '#platform/db/like-pattern.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import type { Tagged } from './api-pieces.ts'
import {
  type DeskCounts,
  type DeskList,
  type DeskListItem,
  type DeskPage,
  type DeskPieceFound,
  deskListLimits,
} from './desk-schema.ts'
import { type CreatePieceBody, type EditPieceBody, type Status, statuses } from './draft-schema.ts'
import { deleteRow, demandRevision, etagOf, saveChanges } from './etag.ts'
import { cutPage, latest, placeOf } from './keyset.ts'
import { manuscriptOf } from './normalize-input.ts'
import { type DeskRow, presentDeskItem, presentDeskPiece, type WholeDeskRow } from './present-desk.ts'
import { isEditable, stateNames, toDraft } from './states.ts'
import { demandSession, withSession } from './with-session.ts'

/** A writer's own pieces, at the desk. Row security answers to their session. */

export interface PiecesContext extends DeskContext {
  /** Whether the site reviews everything before it is public, or the first pieces of a new writer. */
  readonly review: Review
  /** How many those are. */
  readonly reviewFirst: number
}

/** What was made public without a trail, as a seeded site is, was so at its first revision. */
const shown = `
  select p.id, p.headline, p.sub, p.category, p.tags, p.editor_status, p.revision, p.created_at, p.updated_at, p.slug,
         w.slug as author_slug,
         p.editor_status = 'approved' and p.revision > coalesce((
           select max(a.revision) from app.audit a where a.piece_id = p.id and a.to_status = 'approved'
         ), 1) as has_unpublished_changes,
         case when p.begun_by_key is not null then app.key_name(p.begun_by_key) end as key_name, p.body_md`

export async function deskPieces(
  { db, urls }: PiecesContext,
  writer: Writer,
  { q, status, by, limit = deskListLimits.default, cursor }: DeskList,
): Promise<DeskPage> {
  const after = placeOf('desk', cursor, latest)
  const like = q === undefined ? null : containing(q)
  const byKey = by === undefined ? null : by === 'key'
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<DeskRow>(
      `${shown} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.writer_id = $1 and ($2::text is null or p.editor_status = $2) and (p.updated_at, p.id) < ($3, $4)
          and ($6::text is null or p.headline ilike $6 or p.sub ilike $6 or p.body_md ilike $6)
          and ($7::boolean is null or (p.begun_by_key is not null) = $7)
        order by p.updated_at desc, p.id desc limit $5`,
      [writer.writer.id, status ?? null, after.time, after.id, limit + 1, like, byKey],
    )
    if (rows.length === 0) await demandSession(tx)
    return rows
  })
  const { page, next_cursor } = cutPage('desk', rows, limit, (row) => row.updated_at)
  const pieces: DeskListItem[] = []
  for (const row of page) {
    pieces.push(presentDeskItem(row, urls))
    // The words of the longest text take 3 ms to count, and there may be a hundred of them: others go first.
    await setImmediate()
  }
  return { ok: true, count: pieces.length, pieces, next_cursor }
}

/** How many there are in each state. */
export async function countPieces({ db }: PiecesContext, writer: Writer): Promise<DeskCounts> {
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ status: Status; count: number }>(
      `select editor_status as status, count(*)::integer as count from app.pieces where writer_id = $1 group by 1`,
      [writer.writer.id],
    )
    if (rows.length === 0) await demandSession(tx)
    return rows
  })
  const counted = new Map(rows.map(({ status, count }) => [status, count]))
  const counts = Object.fromEntries(statuses.map((status) => [status, counted.get(status) ?? 0]))
  return { ok: true, counts: counts as DeskCounts['counts'] }
}

export async function deskPiece(context: PiecesContext, writer: Writer, id: string): Promise<Tagged<DeskPieceFound>> {
  return withSession(context.db, writer, (tx) => found(tx, context, writer, id))
}

/** Under the id its page chose, so that asking twice begins one piece: then it answers with that piece as it is. */
export async function beginPiece(
  context: PiecesContext,
  writer: Writer,
  body: CreatePieceBody,
  id: string = randomUUID(),
): Promise<Tagged<DeskPieceFound>> {
  const { headline, sub, body_md, category, tags, frame, style, locale, fields } = manuscriptOf(body)
  return withSession(context.db, writer, async (tx) => {
    await tx.query(
      `insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing`,
      [id, writer.writer.id, headline, sub, body_md, category, tags, frame, style, locale, fields],
    )
    return found(tx, context, writer, id)
  })
}

export async function savePiece(
  context: PiecesContext,
  writer: Writer,
  id: string,
  changes: EditPieceBody,
  ifMatch: string | undefined,
): Promise<Tagged<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    const { editor_status: status, revision } = await lockedRow(tx, writer, id)
    if (!isEditable(status)) {
      throw new ServiceError(
        409,
        'illegal_transition',
        `A piece that is ${stateNames[status]} is not changed. ${toDraft(status)}`,
      )
    }
    demandRevision(ifMatch, revision)
    if (!(await saveChanges(tx, id, changes))) throw signedOut()
    return found(tx, context, writer, id)
  })
}

export async function deletePiece({ db }: PiecesContext, writer: Writer, id: string): Promise<void> {
  await withSession(db, writer, async (tx) => {
    const { editor_status: status } = await lockedRow(tx, writer, id)
    if (status !== 'draft') {
      throw new ServiceError(
        409,
        'illegal_transition',
        `A piece that is ${stateNames[status]} is not deleted. ${toDraft(status)}`,
      )
    }
    if ((await deleteRow(tx, id)) === null) throw signedOut()
  })
}

const noSuchPiece = () => notFound('You have no such piece. The list of your pieces shows those you have.')

/** The piece with its text, as its writer sees it. */
export async function wholeRow(tx: Transaction, writer: Writer, id: string): Promise<WholeDeskRow> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<WholeDeskRow>(
    `${shown}, p.frame, p.style, p.locale, p.fields, p.first_published_at, p.review_required,
            (select a.note from app.audit a
              where a.piece_id = p.id and a.act not in ('appeal', 'uphold', 'reinstate')
              order by a.id desc limit 1) as note,
            (select json_build_object('revision', r.revision, 'key', app.key_name(r.key_id))
               from app.revisions r where r.piece_id = p.id and r.key_id is not null
              order by r.revision desc limit 1) as by_key
       from app.pieces p join app.writers w on w.id = p.writer_id
      where p.id = $1 and p.writer_id = $2`,
    [id, writer.writer.id],
  )
  if (rows[0]) return rows[0]
  await demandSession(tx)
  throw noSuchPiece()
}

export async function found(
  tx: Transaction,
  context: PiecesContext,
  writer: Writer,
  id: string,
): Promise<Tagged<DeskPieceFound>> {
  const row = await wholeRow(tx, writer, id)
  return {
    body: { ok: true, piece: presentDeskPiece(row, await isReviewed(tx, context, writer, row), context.urls) },
    etag: etagOf(row.revision),
  }
}

/** Whether a moderator stands between this piece and its readers: by its own history, or as the site has it. */
export async function isReviewed(
  tx: Transaction,
  { review, reviewFirst }: PiecesContext,
  { sessionHash }: Writer,
  { review_required: required }: Pick<WholeDeskRow, 'review_required'>,
): Promise<boolean> {
  if (required || review !== 'first') return required || review === 'required'
  const { rows } = await tx.query<{ is_new: boolean }>('select app.is_new_writer($1, $2) as is_new', [
    sessionHash,
    reviewFirst,
  ])
  return rows[0]!.is_new
}

/** Asked once more when it is locked: the policy for updates hides what may not be changed, and we want to say why. */
async function lockedRow(
  tx: Transaction,
  writer: Writer,
  id: string,
): Promise<Pick<WholeDeskRow, 'editor_status' | 'revision'>> {
  if (!isUuid(id)) throw noSuchPiece()
  const own = 'from app.pieces where id = $1 and writer_id = $2'
  await tx.query(`select ${own} for update`, [id, writer.writer.id])
  const { rows } = await tx.query<WholeDeskRow>(`select editor_status, revision ${own}`, [id, writer.writer.id])
  if (rows[0]) return rows[0]
  await demandSession(tx)
  throw noSuchPiece()
}
