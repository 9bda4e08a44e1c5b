import { requireProof, requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { WithEtag } from './api-pieces.ts'
import { insertDraft, type PiecesContext, readPiece } from './desk.ts'
import type { DeskPieceFound } from './desk-schema.ts'
import type {
  Confirmation,
  ConfirmImports,
  ImportBody,
  ImportedDraft,
  ImportedDrafts,
  ImportProblem,
} from './import-schema.ts'
import { importLimits } from './limits.ts'
import {
  finishPublication,
  isReviewedFirst,
  type PublishingContext,
  readManuscript,
  rendered,
  requireAllowance,
} from './publish.ts'
import { assertTransition } from './states.ts'

/**
 * Drafts imported at the desk, published with the dates they had. The database keeps the date that the import stated; the writer
 * confirms a list of revisions, and each is published in a transaction of its own.
 */

/** As `beginPiece`: a post that was imported before is left as it is, with what was noted then. */
export async function importDraft(
  context: PiecesContext,
  writer: Writer,
  id: string,
  { draft, service, date, notes }: ImportBody,
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    if (await insertDraft(tx, writer, draft, id))
      await tx.query('select app.desk_import($1, $2, $3, $4, $5)', [id, writer.sessionHash, service, date, notes])
    return readPiece(tx, context, writer, id)
  })
}

interface Row extends Omit<ImportedDraft, 'date'> {
  readonly original_at: Date | null
  readonly total: number
}

/** The newest first, since these are published first. Those without a date come last. */
export async function importedDrafts(context: PublishingContext, writer: Writer): Promise<ImportedDrafts> {
  const isReviewed = await isReviewedFirst(context, writer)
  const { firstDay, firstWeek } = context.allowance
  return withSession(context.db, writer, async (tx) => {
    const { rows } = await tx.query<Row>(
      `select p.id, p.headline, p.revision, p.category, not p.fields ? 'is_category_default' as is_category_chosen, i.service, i.original_at, i.notes,
              app.import_problem(p.headline, p.fields, p.review_required, i.original_at) as problem,
              count(*) over ()::integer as total
         from app.imports i join app.pieces p on p.id = i.piece_id
        where i.writer_id = $1 and i.published_at is null and p.editor_status = 'draft' and p.first_published_at is null
        order by i.original_at desc nulls last, p.id limit $2`,
      [writer.writer.id, importLimits.batch],
    )
    if (rows.length === 0) await requireSession(tx)
    const left = await tx.query<{ left: number | null }>('select app.allowance_left($1, $2, $3) as left', [
      writer.sessionHash,
      firstDay,
      firstWeek,
    ])
    return {
      ok: true,
      total: rows[0]?.total ?? 0,
      pieces: rows.map(({ original_at, total, problem, ...row }) => ({
        ...row,
        date: original_at?.toISOString() ?? null,
        problem: problem ?? (isReviewed ? 'review' : null),
      })),
      allowance: left.rows[0]!.left,
    }
  })
}

/** One consent for all of them, with the proof that Publish asks for. Each is answered: null where it can be published now. */
export async function confirmImports(
  { db, proof }: PublishingContext,
  writer: Writer,
  { pieces }: ConfirmImports,
): Promise<Confirmation> {
  return withSession(db, writer, async (tx) => {
    await requireProof(tx, writer.sessionHash, proof)
    const { rows } = await tx.query<{ id: string; problem: ImportProblem | null }>(
      'select piece_id as id, problem from app.desk_confirm_imports($1, $2, $3)',
      [writer.sessionHash, pieces.map(({ id }) => id), pieces.map(({ revision }) => revision)],
    )
    return { ok: true, pieces: rows }
  })
}

/** Publishes one that was confirmed: the database takes the date from its import. */
export async function publishImported(
  context: PublishingContext,
  writer: Writer,
  id: string,
  signal?: AbortSignal,
): Promise<WithEtag<DeskPieceFound>> {
  const manuscript = await readManuscript(context, writer, id)
  assertTransition(
    'publish',
    manuscript.editor_status,
    manuscript.is_reviewed || (await isReviewedFirst(context, writer)),
  )
  const rendering = await context.renderer.render(manuscript, { by: writer.writer.id, signal })
  return withSession(context.db, writer, async (tx) => {
    await requireAllowance(tx, context, writer, id)
    await tx.query('select app.desk_publish_imported($1, $2, $3)', [id, writer.sessionHash, rendered(rendering)])
    await finishPublication(tx, context, id)
    return readPiece(tx, context, writer, id)
  })
}
