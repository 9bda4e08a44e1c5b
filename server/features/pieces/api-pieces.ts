import { demandKey, type KeyHolder, withKey } from '#features/keys/api-key-auth.ts'
import type { WriteContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { insufficientScope, invalidKey, notFound, ServiceError } from '#platform/errors.ts'
import {
  type EditPieceBody,
  type MyPiece,
  type MyPieceFound,
  type MyPieceList,
  type MyPieces,
  myListLimits,
  type Status,
} from './draft-schema.ts'
import { deleteRow, demandRevision, etagOf, saveChanges } from './etag.ts'
import { cutPage, latest, placeOf } from './keyset.ts'
import { type MyRow, presentMine, presentMyPiece, type WholeMyRow } from './present-api.ts'
import { stateNames } from './states.ts'

/** What a key may see and change of its writer's pieces. Row security lets it reach no other, and no more than its scopes. */

/** For drafts the key did not make itself. */
const reach = {
  'drafts:read': 'to read drafts it did not make',
  'drafts:edit': 'to change drafts it did not make',
  'drafts:delete': 'to delete drafts it did not make',
} as const
type Reach = keyof typeof reach

export async function myPieces(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  { status, limit = myListLimits.default, cursor }: MyPieces,
): Promise<MyPieceList> {
  const after = placeOf('mine', cursor, latest)
  const rows = await withKey(db, holder, async (tx) => {
    const { rows } = await tx.query<MyRow>(
      `select id, headline, sub, category, editor_status, locale, tags, created_at from app.pieces
        where writer_id = $1 and ($2::text is null or editor_status = $2) and (created_at, id) < ($3, $4)
        order by created_at desc, id desc limit $5`,
      [holder.writerId, status ?? null, after.time, after.id, limit + 1],
    )
    if (rows.length === 0) await demandKey(tx)
    return rows
  })
  const { page, next_cursor } = cutPage('mine', rows, limit, (row) => row.created_at)
  return { ok: true, count: page.length, pieces: page.map((row) => presentMine(row, urls)), next_cursor }
}

/** A piece and the tag of the revision it was read at. */
export interface Tagged<Body> {
  readonly body: Body
  readonly etag: string
}

export async function myPiece(context: WriteContext, holder: KeyHolder, id: string): Promise<Tagged<MyPieceFound>> {
  const row = await withKey(context.db, holder, (tx) => ownRow(tx, holder, id, 'drafts:read'))
  return found(presentMyPiece(row, context.urls), row.revision)
}

export interface Edited extends Tagged<MyPieceFound> {
  /** Whether anything changed: only then is there a new revision. */
  readonly saved: boolean
}

export async function editDraft(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  id: string,
  changes: EditPieceBody,
  ifMatch: string | undefined,
): Promise<Edited> {
  return withKey(db, holder, async (tx) => {
    const revision = await lockDraft(tx, holder, id)
    demandRevision(ifMatch, revision)
    if (!(await saveChanges(tx, id, changes))) throw invalidKey()
    const row = await ownRow(tx, holder, id, 'drafts:edit')
    return { ...found(presentMyPiece(row, urls), row.revision), saved: row.revision > revision }
  })
}

export async function deleteDraft(
  { db }: WriteContext,
  holder: KeyHolder,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  await withKey(db, holder, async (tx) => {
    await demandDraft(tx, holder, id, 'drafts:delete')
    // Compared after it is done, when nobody else can change it; a refusal undoes it.
    demandRevision(ifMatch, (await deleteRow(tx, id)) ?? (await goneFor(tx, holder, id, 'drafts:delete')))
  })
}

const found = (piece: MyPiece, revision: number): Tagged<MyPieceFound> => ({
  body: { ok: true, piece },
  etag: etagOf(revision),
})

/** The same words for what never was and what is another's. */
const noSuchPiece = () => notFound('You have no piece with this id. GET /api/v1/pieces/me lists those you have.')

/** Of a piece that is past being a draft every key of its writer reads what lists show; the body is null. */
async function ownRow(tx: Transaction, { writerId }: KeyHolder, id: string, scope: Reach): Promise<WholeMyRow> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<WholeMyRow & { may: boolean }>(
    `select id, headline, sub, category, editor_status, locale, tags, created_at, updated_at, frame, style, fields,
            revision, app.draft_body(id) as body_md, app.key_may($3, begun_by_key) as may
       from app.pieces where id = $1 and writer_id = $2`,
    [id, writerId, scope],
  )
  const row = rows[0]
  if (!row?.may) await demandKey(tx)
  if (!row) throw noSuchPiece()
  if (row.editor_status === 'draft' && !row.may) throw insufficientScope(scope, reach[scope])
  return row
}

/** Locks the row, so that what is compared is what is changed. Answers with its revision. */
async function lockDraft(tx: Transaction, holder: KeyHolder, id: string): Promise<number> {
  await demandDraft(tx, holder, id, 'drafts:edit')
  const { rows } = await tx.query<{ revision: number }>('select revision from app.pieces where id = $1 for update', [
    id,
  ])
  return rows[0]?.revision ?? goneFor(tx, holder, id, 'drafts:edit')
}

async function demandDraft(tx: Transaction, holder: KeyHolder, id: string, scope: Reach): Promise<void> {
  const { editor_status: status } = await ownRow(tx, holder, id, scope)
  if (status !== 'draft') throw notADraft(status)
}

/** Published or deleted a moment ago. */
async function goneFor(tx: Transaction, holder: KeyHolder, id: string, scope: Reach): Promise<never> {
  throw notADraft((await ownRow(tx, holder, id, scope)).editor_status)
}

const notADraft = (status: Status) =>
  new ServiceError(
    409,
    'illegal_transition',
    `Only drafts are changed or deleted through the API, and this piece is ${stateNames[status]}. Its writer does it at the desk.`,
  )
