import { type KeyHolder, withKey } from '#features/keys/holder.ts'
import type { WriteContext } from '#platform/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import {
  type EditPieceBody,
  type MyPiece,
  type MyPieceFound,
  type MyPieceList,
  type MyPieces,
  myListLimits,
  type Status,
} from './draft-schema.ts'
import { type MyRow, presentMine, presentMyPiece, type WholeMyRow } from './present-mine.ts'
import { demandRevision, etagOf, saveChanges } from './saving.ts'

/** What a key may see and change of its writer's pieces. Row security lets it reach no other. */

/** Later than any: a first page is the page after it. */
const latest = { createdAt: new Date('9999-12-31T00:00:00Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export async function myPieces(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  { status, limit = myListLimits.default, cursor }: MyPieces,
): Promise<MyPieceList> {
  const after = cursor === undefined ? latest : readMyCursor(cursor)
  const rows = await withKey(db, holder, async (tx) => {
    const { rows } = await tx.query<MyRow>(
      `select id, headline, sub, category, editor_status, locale, tags, created_at from app.pieces
        where writer_id = $1 and ($2::text is null or editor_status = $2) and (created_at, id) < ($3, $4)
        order by created_at desc, id desc limit $5`,
      [holder.writerId, status ?? null, after.createdAt, after.id, limit + 1],
    )
    return rows
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    count: page.length,
    pieces: page.map((row) => presentMine(row, urls)),
    next_cursor: last ? writeCursor('mine', [last.created_at.getTime(), last.id]) : null,
  }
}

function readMyCursor(cursor: string) {
  const [time, id] = readCursor<[number, string]>(
    'mine',
    cursor,
    (parts) => parts.length === 2 && isTime(parts[0]) && isUuid(parts[1]),
  )
  return { createdAt: new Date(time), id }
}

/** A piece and the tag of the revision it was read at. */
export interface Tagged<Body> {
  readonly body: Body
  readonly etag: string
}

export async function myPiece(context: WriteContext, holder: KeyHolder, id: string): Promise<Tagged<MyPieceFound>> {
  const row = await withKey(context.db, holder, (tx) => ownRow(tx, holder, id))
  return found(presentMyPiece(row, context.urls), row.revision)
}

export async function editDraft(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  id: string,
  changes: EditPieceBody,
  ifMatch: string | undefined,
): Promise<Tagged<MyPieceFound>> {
  const row = await withKey(db, holder, async (tx) => {
    await demandDraft(tx, holder, id, ifMatch)
    await saveChanges(tx, id, changes)
    return ownRow(tx, holder, id)
  })
  return found(presentMyPiece(row, urls), row.revision)
}

export async function deleteDraft(
  { db }: WriteContext,
  holder: KeyHolder,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  await withKey(db, holder, async (tx) => {
    await demandDraft(tx, holder, id, ifMatch)
    await tx.query('delete from app.pieces where id = $1', [id])
  })
}

const found = (piece: MyPiece, revision: number): Tagged<MyPieceFound> => ({
  body: { ok: true, piece },
  etag: etagOf(revision),
})

/** The same words for what never was and what is another's. */
const noSuchPiece = () => notFound('You have no piece with this id.')

async function ownRow(tx: Transaction, { writerId }: KeyHolder, id: string): Promise<WholeMyRow> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<WholeMyRow>(
    `select id, headline, sub, category, editor_status, locale, tags, created_at, updated_at, frame, style, fields,
            revision, app.draft_body(id) as body_md
       from app.pieces where id = $1 and writer_id = $2`,
    [id, writerId],
  )
  if (!rows[0]) throw noSuchPiece()
  return rows[0]
}

/** Locks the row, so that what is compared is what is changed. */
async function demandDraft(tx: Transaction, holder: KeyHolder, id: string, ifMatch: string | undefined): Promise<void> {
  const { editor_status: status } = await ownRow(tx, holder, id)
  if (status !== 'draft') throw notADraft(status)
  const { rows } = await tx.query<{ revision: number }>('select revision from app.pieces where id = $1 for update', [
    id,
  ])
  // Published or deleted a moment ago.
  if (!rows[0]) throw notADraft((await ownRow(tx, holder, id)).editor_status)
  demandRevision(ifMatch, rows[0].revision)
}

const notADraft = (status: Status) =>
  new ServiceError(
    409,
    'illegal_transition',
    `Only drafts are changed through the API, and this piece is ${status}. Its writer changes it at the desk.`,
  )
