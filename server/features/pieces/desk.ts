import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Review } from '#config/setting-groups.ts'
import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { cutRows, isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { containing } from '#platform/db/statement.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import { languageTag } from '#platform/text/language.ts'
import { countWords } from '#platform/text/words.ts'
import type { WithEtag } from './api-pieces.ts'
import { deskOrder } from './desk-orders.ts'
import {
  type DeskCounts,
  type DeskList,
  type DeskListItem,
  type DeskPage,
  type DeskPiece,
  type DeskPieceFound,
  deskListLimits,
  type Original,
  type Schedule,
} from './desk-schema.ts'
import { type CreatePieceBody, type DeskEditBody, type Status, statuses } from './draft-schema.ts'
import { deleteRow, etagOf, requireRevision, saveChanges } from './drafts.ts'
import { normalizeManuscript, type StoredFields } from './normalize-input.ts'
import { presentDraftCover, presentDraftMeta } from './present.ts'
import { actToDraft, allowedActs, isEditable } from './states.ts'

/** A writer's own pieces in the desk. Row security checks their session. */

export interface PiecesContext extends DeskContext {
  /** Whether the site reviews every piece before it is public, or the first pieces of new writers. */
  readonly review: Review
  /** How many first pieces are reviewed. */
  readonly reviewFirst: number
}

/** A public piece without audit entries, as in a seeded site, was published at its first revision. */
const selectPiece = `
  select p.id, p.headline, p.sub, p.category, not p.fields ? 'is_category_default' as is_category_chosen, p.tags, p.editor_status, p.revision, p.created_at, p.updated_at, p.slug,
         p.first_published_at, w.slug as author_slug,
         (select json_build_object('at', s.publish_at, 'consented_at', s.consented_at, 'problem', s.void_reason)
            from app.schedules s where s.piece_id = p.id) as schedule,
         p.editor_status = 'approved' and p.revision > coalesce((
           select max(a.revision) from app.audit a where a.piece_id = p.id and a.to_status = 'approved'
         ), 1) as has_unpublished_changes,
         p.editor_status in ('changes_requested', 'rejected') and coalesce((
           select a.act = 'take_down' from app.audit a
            where a.piece_id = p.id and a.act in ('take_down', 'request_changes', 'reject')
            order by a.id desc limit 1
         ), false) as is_taken_down,
         case when p.begun_by_key is not null then app.key_name(p.begun_by_key) end as key_name, p.body_md`

export async function deskPieces(
  { db, urls }: PiecesContext,
  writer: Writer,
  { q, status, by, scheduled, sort = 'changed', limit = deskListLimits.default, cursor }: DeskList,
): Promise<DeskPage> {
  const like = q === undefined ? null : containing(q)
  const byKey = by === undefined ? null : by === 'key'
  const isScheduled = scheduled !== undefined
  const order = deskOrder(isScheduled ? 'scheduled' : sort, cursor, 7)
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<DeskListRow>(
      `${selectPiece}, coalesce(r.reads, 0)::float8 as reads
         from app.pieces p join app.writers w on w.id = p.writer_id left join app.piece_reads r on r.piece_id = p.id
         left join app.schedules s on s.piece_id = p.id
        where p.writer_id = $1 and ($2::text is null or p.editor_status = $2)
          and ($3::text is null or p.headline ilike $3 or p.sub ilike $3 or p.body_md ilike $3)
          and ($4::boolean is null or (p.begun_by_key is not null) = $4)
          and (not $6::boolean or s.piece_id is not null)
          and ${order.condition}
        order by ${order.orderBy} limit $5`,
      [writer.writer.id, status ?? null, like, byKey, limit + 1, isScheduled, ...order.values],
    )
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  const { page, next_cursor } = cutRows(order.cursorKind, rows, limit, order.partsOf)
  const pieces: DeskListItem[] = []
  for (const row of page) {
    pieces.push(presentDeskItem(row, urls))
    // Counting the words of the longest text takes 3 ms, and there may be a hundred: let other requests run in between.
    await setImmediate()
  }
  return { ok: true, count: pieces.length, pieces, next_cursor }
}

/** Number of pieces in each state. */
export async function countPieces({ db }: PiecesContext, writer: Writer): Promise<DeskCounts> {
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ status: Status; count: number; scheduled: number; imported: number }>(
      `select editor_status as status, count(*)::integer as count,
              count(*) filter (where p.first_published_at is null
                and exists (select from app.imports i where i.piece_id = p.id))::integer as imported,
              count(*) filter (where exists (select from app.schedules s where s.piece_id = p.id))::integer as scheduled
         from app.pieces p where writer_id = $1 group by 1`,
      [writer.writer.id],
    )
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  const { scheduled, imported } = rows.find(({ status }) => status === 'draft') ?? { scheduled: 0, imported: 0 }
  const counted = new Map(rows.map(({ status, count }) => [status, count]))
  const counts = Object.fromEntries(statuses.map((status) => [status, counted.get(status) ?? 0]))
  return { ok: true, counts: counts as DeskCounts['counts'], scheduled, imported }
}

export async function deskPiece(context: PiecesContext, writer: Writer, id: string): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, (tx) => readPiece(tx, context, writer, id))
}

/** The client chooses the id, so a repeated request creates one piece: the second one returns it as it is. */
export async function beginPiece(
  context: PiecesContext,
  writer: Writer,
  body: CreatePieceBody,
  id: string = randomUUID(),
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    await insertDraft(tx, writer, body, id)
    return readPiece(tx, context, writer, id)
  })
}

/** False if there is one with this id. */
export async function insertDraft(
  tx: Transaction,
  writer: Writer,
  body: CreatePieceBody,
  id: string,
): Promise<boolean> {
  const { headline, sub, body_md, category, tags, frame, style, locale, fields } = normalizeManuscript(body)
  const { rowCount } = await tx.query(
    `insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing`,
    [id, writer.writer.id, headline, sub, body_md, category, tags, frame, style, locale, fields],
  )
  return rowCount === 1
}

export async function savePiece(
  context: PiecesContext,
  writer: Writer,
  id: string,
  changes: DeskEditBody,
  ifMatch: string | undefined,
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    const { editor_status: status, revision } = await lockRow(tx, writer, id)
    if (!isEditable(status)) {
      throw new ServiceError(
        409,
        'illegal_transition',
        message('error.piece_status', { act: 'edit', status, next: actToDraft(status) }),
      )
    }
    requireRevision(ifMatch, revision)
    if (!(await saveChanges(tx, id, changes))) throw signedOut()
    return readPiece(tx, context, writer, id)
  })
}

export async function deletePiece({ db }: PiecesContext, writer: Writer, id: string): Promise<void> {
  await withSession(db, writer, async (tx) => {
    const { editor_status: status } = await lockRow(tx, writer, id)
    if (status !== 'draft') {
      throw new ServiceError(
        409,
        'illegal_transition',
        message('error.piece_status', { act: 'delete', status, next: actToDraft(status) }),
      )
    }
    if ((await deleteRow(tx, id)) === null) throw signedOut()
  })
}

const noSuchPiece = () => notFound(message('error.piece_not_found'))

/** The piece with its text, for its writer. */
export async function readRow(tx: Transaction, writer: Writer, id: string): Promise<WholeDeskRow> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<WholeDeskRow>(
    `${selectPiece}, p.frame, p.style, p.locale, p.fields, p.review_required,
            (select a.note from app.audit a
              where a.piece_id = p.id and a.act not in ('appeal', 'uphold', 'reinstate')
              order by a.id desc limit 1) as note,
            (select json_build_object('revision', r.revision, 'key', app.key_name(r.key_id))
               from app.revisions r where r.piece_id = p.id and r.key_id is not null
              order by r.revision desc limit 1) as by_key,
            (select json_build_object(
                      'headline', o.headline, 'slug', o.slug, 'locale', o.locale, 'author_slug', a.slug,
                      'author_name', a.name, 'answer', q.answer, 'is_asked', q.piece_id is not null,
                      'is_own', exists (select from app.pieces own where own.id = named.id and own.writer_id = p.writer_id))
               from (select (p.fields ->> 'translation_of')::uuid as id) named
               left join pub.pieces o on o.id = named.id
               left join pub.authors a on a.id = o.author_id
               left join app.translation_requests q on q.piece_id = p.id and q.original_id = named.id
              where named.id is not null) as original
       from app.pieces p join app.writers w on w.id = p.writer_id
      where p.id = $1 and p.writer_id = $2`,
    [id, writer.writer.id],
  )
  if (rows[0]) return rows[0]
  await requireSession(tx)
  throw noSuchPiece()
}

export async function readPiece(
  tx: Transaction,
  context: PiecesContext,
  writer: Writer,
  id: string,
): Promise<WithEtag<DeskPieceFound>> {
  const row = await readRow(tx, writer, id)
  return {
    body: { ok: true, piece: presentDeskPiece(row, await needsReview(tx, context, writer, row), context.urls) },
    etag: etagOf(row.revision),
  }
}

/** Whether a moderator must approve this piece: because of its history, or by the site's settings. */
export async function needsReview(
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

/** Reads again after locking: the update policy hides rows that may not be changed, and we want to say why. */
async function lockRow(
  tx: Transaction,
  writer: Writer,
  id: string,
): Promise<Pick<WholeDeskRow, 'editor_status' | 'revision'>> {
  if (!isUuid(id)) throw noSuchPiece()
  const own = 'from app.pieces where id = $1 and writer_id = $2'
  await tx.query(`select ${own} for update`, [id, writer.writer.id])
  const { rows } = await tx.query<WholeDeskRow>(`select editor_status, revision ${own}`, [id, writer.writer.id])
  if (rows[0]) return rows[0]
  await requireSession(tx)
  throw noSuchPiece()
}

interface DeskRow {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly is_category_chosen: boolean
  readonly tags: string[]
  readonly editor_status: Status
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly first_published_at: Date | null
  readonly slug: string | null
  readonly author_slug: string
  readonly has_unpublished_changes: boolean
  readonly is_taken_down: boolean
  readonly schedule: Schedule | null
  readonly key_name: string | null
  readonly body_md: string
}

interface DeskListRow extends DeskRow {
  readonly reads: number
}

/** The original of a translation. What is public of it is null once it is no longer public. */
export interface OriginalRow {
  readonly headline: string | null
  readonly slug: string | null
  readonly locale: string | null
  readonly author_slug: string | null
  readonly author_name: string | null
  readonly is_own: boolean
  readonly is_asked?: boolean
  readonly answer?: 'agreed' | 'declined' | null
}

export interface WholeDeskRow extends DeskRow {
  readonly frame: string
  readonly style: string
  readonly locale: string
  readonly fields: StoredFields
  readonly original: OriginalRow | null
  readonly review_required: boolean
  readonly note: string | null
  readonly by_key: DeskPiece['by_key']
}

/** Characters; enough to recognise a piece. */
const longestOpening = 400

/** The first characters of the Markdown source. */
export const openingOf = (body: string): string =>
  [...body.slice(0, 2 * longestOpening)].slice(0, longestOpening).join('')

const presentDeskItem = (row: DeskListRow, urls: Urls): DeskListItem => ({
  ...presentCommon(row, urls),
  opening: openingOf(row.body_md),
  reads: row.first_published_at === null ? null : row.reads,
})

function presentCommon(row: DeskRow, urls: Urls): Omit<DeskListItem, 'opening' | 'reads'> {
  return {
    id: row.id,
    headline: row.headline,
    sub: row.sub,
    category: row.category,
    is_category_chosen: row.is_category_chosen,
    tags: row.tags,
    status: row.editor_status,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    published_at: row.first_published_at?.toISOString() ?? null,
    url: row.editor_status === 'approved' && row.slug ? urls.piece(row.author_slug, row.slug) : null,
    has_unpublished_changes: row.has_unpublished_changes,
    is_taken_down: row.is_taken_down,
    schedule: row.schedule && presentSchedule(row.schedule),
    key: row.key_name,
    words: countWords(row.body_md),
  }
}

/** PostgreSQL's JSON has its own form of times. */
const presentSchedule = ({ at, consented_at, problem }: Schedule): Schedule => ({
  at: new Date(at).toISOString(),
  consented_at: new Date(consented_at).toISOString(),
  problem,
})

/** `reviewed`: a moderator must approve the piece. */
function presentDeskPiece(row: WholeDeskRow, reviewed: boolean, urls: Urls): DeskPiece {
  return {
    ...presentCommon(row, urls),
    body_md: row.body_md,
    frame: row.frame,
    is_frame_chosen: !row.fields.is_frame_default,
    style: row.style,
    locale: row.locale,
    external_url: row.fields.external_url ?? null,
    cover: row.fields.cover ? presentDraftCover(row.fields.cover) : null,
    meta: row.fields.meta ? presentDraftMeta(row.fields.meta) : null,
    drawn_cover: urls.drawnCover(row.category, row.id, row.headline),
    translation_of:
      row.fields.translation_of && row.original ? presentOriginal(row.fields.translation_of, row.original, urls) : null,
    review_required: reviewed,
    acts: allowedActs(row.editor_status, 'writer', reviewed),
    note: row.editor_status === 'changes_requested' || row.editor_status === 'rejected' ? row.note : null,
    by_key: row.by_key,
  }
}

/** What the desk shows of the original. Consent stays after it was unpublished. */
export function presentOriginal(id: string, row: OriginalRow, urls: Urls): Original {
  return {
    id,
    title: row.headline,
    url: row.author_slug && row.slug && urls.piece(row.author_slug, row.slug),
    language: row.locale && languageTag(row.locale),
    author: row.author_name,
    consent: row.is_own ? 'own' : (row.answer ?? (row.is_asked ? 'asked' : 'not_asked')),
  }
}
