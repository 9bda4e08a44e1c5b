import type { Person, Writer } from '#features/accounts/person.ts'
import type { DeskContext } from '#platform/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import type { Urls } from '#platform/urls.ts'
import { type DeskList, type DeskPage, type DeskPieceFound, deskListLimits } from './desk-schema.ts'
import type { CreatePieceBody, EditPieceBody } from './draft-schema.ts'
import { manuscriptOf } from './manuscript.ts'
import type { Tagged } from './mine.ts'
import { type DeskRow, presentDeskItem, presentDeskPiece, type WholeDeskRow } from './present-desk.ts'
import { demandRevision, etagOf, saveChanges } from './saving.ts'
import { isEditable } from './states.ts'

/** A writer's own pieces, at the desk. Row security answers to their session. */

export const actingAs = ({ sessionHash }: Person) => ({ 'app.session_hash': sessionHash })

const shown = `
  select p.id, p.headline, p.sub, p.category, p.tags, p.editor_status, p.revision, p.created_at, p.updated_at, p.slug,
         w.slug as author_slug,
         p.editor_status = 'approved' and p.revision > (
           select max(a.revision) from app.audit a where a.piece_id = p.id and a.to_status = 'approved'
         ) as has_unpublished_changes`

export async function deskPieces(
  { db, urls }: DeskContext,
  writer: Writer,
  { status, limit = deskListLimits.default, cursor }: DeskList,
): Promise<DeskPage> {
  const after = cursor === undefined ? undefined : readDeskCursor(cursor)
  const rows = await db.transaction(actingAs(writer), async (tx) => {
    const { rows } = await tx.query<DeskRow>(
      `${shown} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.writer_id = $1 and ($2::text is null or p.editor_status = $2)
          and ($3::timestamptz is null or (p.updated_at, p.id) < ($3, $4))
        order by p.updated_at desc, p.id desc limit $5`,
      [writer.writer.id, status ?? null, after?.updatedAt ?? null, after?.id ?? null, limit + 1],
    )
    return rows
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    count: page.length,
    pieces: page.map((row) => presentDeskItem(row, urls)),
    next_cursor: last ? writeCursor('desk', [last.updated_at.getTime(), last.id]) : null,
  }
}

function readDeskCursor(cursor: string) {
  const [time, id] = readCursor<[number, string]>(
    'desk',
    cursor,
    (parts) => parts.length === 2 && isTime(parts[0]) && isUuid(parts[1]),
  )
  return { updatedAt: new Date(time), id }
}

export async function deskPiece(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
): Promise<Tagged<DeskPieceFound>> {
  return db.transaction(actingAs(writer), (tx) => found(tx, writer, id, urls))
}

export async function beginPiece(
  { db, urls }: DeskContext,
  writer: Writer,
  body: CreatePieceBody,
): Promise<Tagged<DeskPieceFound>> {
  const { headline, sub, body_md, category, tags, frame, style, locale, fields } = manuscriptOf(body)
  return db.transaction(actingAs(writer), async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `insert into app.pieces (writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
      [writer.writer.id, headline, sub, body_md, category, tags, frame, style, locale, fields],
    )
    return found(tx, writer, rows[0]!.id, urls)
  })
}

export async function savePiece(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
  changes: EditPieceBody,
  ifMatch: string | undefined,
): Promise<Tagged<DeskPieceFound>> {
  return db.transaction(actingAs(writer), async (tx) => {
    const { editor_status: status, revision } = await lockedRow(tx, writer, id)
    if (!isEditable(status)) {
      const first = status === 'pending' ? 'Withdraw it from review first.' : 'Revise it first.'
      throw new ServiceError(409, 'illegal_transition', `A piece that is ${status} is not changed. ${first}`)
    }
    demandRevision(ifMatch, revision)
    await saveChanges(tx, id, changes)
    return found(tx, writer, id, urls)
  })
}

export async function deletePiece({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  await db.transaction(actingAs(writer), async (tx) => {
    const { editor_status: status } = await lockedRow(tx, writer, id)
    if (status !== 'draft') {
      throw new ServiceError(
        409,
        'illegal_transition',
        `A piece that is ${status} is not deleted. Make it a draft first.`,
      )
    }
    await tx.query('delete from app.pieces where id = $1', [id])
  })
}

const noSuchPiece = () => notFound('You have no such piece.')

/** The piece with its text, as its writer sees it. */
export async function wholeRow(tx: Transaction, writer: Writer, id: string): Promise<WholeDeskRow> {
  const { rows } = isUuid(id)
    ? await tx.query<WholeDeskRow>(
        `${shown}, p.body_md, p.frame, p.style, p.locale, p.fields, p.first_published_at, p.review_required,
                (select a.note from app.audit a where a.piece_id = p.id order by a.id desc limit 1) as note
           from app.pieces p join app.writers w on w.id = p.writer_id
          where p.id = $1 and p.writer_id = $2`,
        [id, writer.writer.id],
      )
    : { rows: [] }
  if (!rows[0]) throw noSuchPiece()
  return rows[0]
}

export async function found(tx: Transaction, writer: Writer, id: string, urls: Urls): Promise<Tagged<DeskPieceFound>> {
  const row = await wholeRow(tx, writer, id)
  return { body: { ok: true, piece: presentDeskPiece(row, urls) }, etag: etagOf(row.revision) }
}

/** Locked whatever its state: the policy for updates would hide what may not be changed, and we want to say why. */
async function lockedRow(tx: Transaction, writer: Writer, id: string): Promise<WholeDeskRow> {
  const row = await wholeRow(tx, writer, id)
  await tx.query('select from app.pieces where id = $1 for update', [id])
  return wholeRow(tx, writer, row.id)
}
