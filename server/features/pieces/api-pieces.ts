import type { WriteContext } from '#features/context.ts'
import { type KeyHolder, requireKey, withKey } from '#features/keys/api-key-auth.ts'
import { insufficientScope, invalidKey } from '#features/keys/key.ts'
import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import {
  type EditPieceBody,
  type MyPiece,
  type MyPieceFound,
  type MyPieceList,
  type MyPieceListItem,
  type MyPieces,
  myListLimits,
  type Status,
} from './draft-schema.ts'
import { deleteRow, etagOf, requireRevision, saveChanges } from './drafts.ts'
import { cutPage, latest, parseCursor } from './keyset.ts'
import type { StoredFields } from './normalize-input.ts'
import { presentDraftCover, presentDraftMeta } from './present.ts'
import { stateNames } from './states.ts'

/** What an API key may read and change of its writer's pieces. Row security limits it to them, and to its scopes. */

/** Scopes for drafts that the key did not create itself. */
const scopeReasons = {
  'drafts:read': 'to read drafts it did not make',
  'drafts:edit': 'to change drafts it did not make',
  'drafts:delete': 'to delete drafts it did not make',
} as const
type DraftScope = keyof typeof scopeReasons

export async function myPieces(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  { status, limit = myListLimits.default, cursor }: MyPieces,
): Promise<MyPieceList> {
  const after = parseCursor('mine', cursor, latest)
  const rows = await withKey(db, holder, async (tx) => {
    const { rows } = await tx.query<MyRow>(
      `select id, headline, sub, category, editor_status, locale, tags, created_at from app.pieces
        where writer_id = $1 and ($2::text is null or editor_status = $2) and (created_at, id) < ($3, $4)
        order by created_at desc, id desc limit $5`,
      [holder.writerId, status ?? null, after.time, after.id, limit + 1],
    )
    if (rows.length === 0) await requireKey(tx)
    return rows
  })
  const { page, next_cursor } = cutPage('mine', rows, limit, (row) => row.created_at)
  return { ok: true, count: page.length, pieces: page.map((row) => presentMine(row, urls)), next_cursor }
}

/** A response body and the ETag of the revision it was read at. */
export interface WithEtag<Body> {
  readonly body: Body
  readonly etag: string
}

export async function myPiece(context: WriteContext, holder: KeyHolder, id: string): Promise<WithEtag<MyPieceFound>> {
  const row = await withKey(context.db, holder, (tx) => ownRow(tx, holder, id, 'drafts:read'))
  return withEtag(presentMyPiece(row, context.urls), row.revision)
}

export interface Edited extends WithEtag<MyPieceFound> {
  /** Whether anything changed; only then is there a new revision. */
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
    requireRevision(ifMatch, revision)
    if (!(await saveChanges(tx, id, changes))) throw invalidKey()
    const row = await ownRow(tx, holder, id, 'drafts:edit')
    return { ...withEtag(presentMyPiece(row, urls), row.revision), saved: row.revision > revision }
  })
}

export async function deleteDraft(
  { db }: WriteContext,
  holder: KeyHolder,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  await withKey(db, holder, async (tx) => {
    await requireDraft(tx, holder, id, 'drafts:delete')
    // Compared after the delete, when nobody else can change the row; a mismatch rolls it back.
    requireRevision(ifMatch, (await deleteRow(tx, id)) ?? (await throwGone(tx, holder, id, 'drafts:delete')))
  })
}

const withEtag = (piece: MyPiece, revision: number): WithEtag<MyPieceFound> => ({
  body: { ok: true, piece },
  etag: etagOf(revision),
})

/** The same error for pieces that never existed and for those of other writers. */
const noSuchPiece = () => notFound('You have no piece with this id. GET /api/v1/pieces/me lists your pieces.')

/** Once a piece is no draft, every key of its writer may read what lists show; the body is null. */
async function ownRow(tx: Transaction, { writerId }: KeyHolder, id: string, scope: DraftScope): Promise<WholeMyRow> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<WholeMyRow & { may: boolean }>(
    `select id, headline, sub, category, editor_status, locale, tags, created_at, updated_at, frame, style, fields,
            revision, app.draft_body(id) as body_md, app.key_may($3, begun_by_key) as may
       from app.pieces where id = $1 and writer_id = $2`,
    [id, writerId, scope],
  )
  const row = rows[0]
  if (!row?.may) await requireKey(tx)
  if (!row) throw noSuchPiece()
  if (row.editor_status === 'draft' && !row.may) throw insufficientScope(scope, scopeReasons[scope])
  return row
}

/** Locks the row, so that the revision compared is the revision changed, and returns it. */
async function lockDraft(tx: Transaction, holder: KeyHolder, id: string): Promise<number> {
  await requireDraft(tx, holder, id, 'drafts:edit')
  const { rows } = await tx.query<{ revision: number }>('select revision from app.pieces where id = $1 for update', [
    id,
  ])
  return rows[0]?.revision ?? throwGone(tx, holder, id, 'drafts:edit')
}

async function requireDraft(tx: Transaction, holder: KeyHolder, id: string, scope: DraftScope): Promise<void> {
  const { editor_status: status } = await ownRow(tx, holder, id, scope)
  if (status !== 'draft') throw notADraft(status)
}

/** The draft was published or deleted a moment ago. */
async function throwGone(tx: Transaction, holder: KeyHolder, id: string, scope: DraftScope): Promise<never> {
  throw notADraft((await ownRow(tx, holder, id, scope)).editor_status)
}

const notADraft = (status: Status) =>
  new ServiceError(
    409,
    'illegal_transition',
    `Only drafts can be changed or deleted through the API, and this piece is ${stateNames[status]}. Its writer can do it at the desk.`,
  )

interface MyRow {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly editor_status: Status
  readonly locale: string
  readonly tags: string[]
  readonly created_at: Date
}

interface WholeMyRow extends MyRow {
  readonly updated_at: Date
  readonly frame: string
  readonly style: string
  readonly fields: StoredFields
  readonly revision: number
  readonly body_md: string | null
}

function presentMine(row: MyRow, urls: Urls): MyPieceListItem {
  return {
    id: row.id,
    headline: row.headline,
    sub: row.sub,
    category: row.category,
    status: row.editor_status,
    locale: row.locale,
    tags: row.tags,
    created_at: row.created_at.toISOString(),
    edit_url: urls.editPiece(row.id),
  }
}

function presentMyPiece(row: WholeMyRow, urls: Urls): MyPiece {
  return {
    ...presentMine(row, urls),
    body_md: row.body_md,
    frame: row.frame,
    style: row.style,
    external_url: row.fields.external_url ?? null,
    ...(row.fields.translation_of === undefined ? {} : { translation_of: urls.pieceId(row.fields.translation_of) }),
    ...(row.fields.cover === undefined ? {} : { cover: presentDraftCover(row.fields.cover) }),
    ...(row.fields.meta === undefined ? {} : { meta: presentDraftMeta(row.fields.meta) }),
    updated_at: row.updated_at.toISOString(),
  }
}
