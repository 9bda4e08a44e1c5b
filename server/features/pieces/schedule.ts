import type { Review } from '#config/setting-groups.ts'
import type { SendToAccount } from '#features/accounts/mail.ts'
import { requireProof, type Writer, withSession } from '#features/accounts/sessions.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import type { ScheduleProblem } from '#features/schedule-problems.ts'
import { hashOf } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'
import type { WithEtag } from './api-pieces.ts'
import { type PiecesContext, readPiece } from './desk.ts'
import type { DeskPieceFound, ScheduleBody } from './desk-schema.ts'
import { finishPublication, type PublishingContext, readManuscript, rendered, requireHeadline } from './publish.ts'
import { assertTransition } from './states.ts'

/**
 * Publishing at a chosen time. The writer consents at the desk, with the same proof as Publish, to one revision, as it was
 * rendered then. When the time has come, the worker asks the database, which decides whether the consent is still valid.
 */

export async function schedulePiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  { nonce, at }: ScheduleBody,
  signal?: AbortSignal,
): Promise<WithEtag<DeskPieceFound>> {
  const manuscript = await readManuscript(context, writer, id)
  assertTransition('publish', manuscript.editor_status, manuscript.is_reviewed)
  requireHeadline(manuscript)
  const rendering = await context.renderer.render(manuscript, { by: writer.writer.id, signal })
  return withSession(context.db, writer, async (tx) => {
    await requireProof(tx, writer.sessionHash, context.proof, nonce)
    await tx.query('select app.desk_schedule($1, $2, $3, $4, $5)', [
      id,
      writer.sessionHash,
      hashOf(nonce),
      rendered(rendering),
      at,
    ])
    return readPiece(tx, context, writer, id)
  })
}

/** Also dismisses the notice that a schedule was cancelled. */
export async function unschedulePiece(
  context: PiecesContext,
  writer: Writer,
  id: string,
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    const found = await readPiece(tx, context, writer, id)
    await tx.query('select app.desk_unschedule($1, $2)', [found.body.piece.id, writer.sessionHash])
    return readPiece(tx, context, writer, id)
  })
}

/** What the worker publishes with. */
export interface ScheduleContext extends Pick<PublishingContext, 'urls' | 'signer' | 'allowance'> {
  readonly db: Database
  readonly review: Review
  readonly reviewFirst: number
}

/** At most so many in one run of the job; the next one goes on. */
const maxDue = 500

/**
 * Publishes what is due, each piece in a transaction of its own: a worker that is killed publishes a piece whole or not at
 * all, and the next run finds what is left.
 */
export async function publishDue(context: ScheduleContext, signal: AbortSignal): Promise<void> {
  const due = await context.db.run<{ piece: string }>({
    text: 'select app.due_schedules($1) as piece',
    values: [maxDue],
  })
  const failures: unknown[] = []
  for (const { piece } of due) {
    if (signal.aborted) break
    await publishScheduled(context, piece).catch((error: unknown) => failures.push(error))
  }
  await notifyOfVoid(context.db)
  if (failures.length > 0) throw new AggregateError(failures)
}

async function publishScheduled(
  { db, review, reviewFirst, allowance, ...publishing }: ScheduleContext,
  piece: string,
): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ outcome: string | null }>(
      'select app.publish_scheduled($1, $2, $3, $4, $5) as outcome',
      [piece, review, reviewFirst, allowance.firstDay, allowance.firstWeek],
    )
    if (rows[0]!.outcome !== 'published') return
    await finishPublication(tx, publishing, piece)
    await enqueue(tx, 'schedule.email', { piece, about: 'published' })
  })
}

/** One email for each schedule that became void. */
async function notifyOfVoid(db: Database): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ piece: string }>('select app.void_schedules_to_notify() as piece')
    for (const { piece } of rows) await enqueue(tx, 'schedule.email', { piece, about: 'void' })
  })
}

interface EmailRow {
  readonly account_id: string
  readonly headline: string
  readonly void_reason: ScheduleProblem | null
  readonly publish_at: Date | null
}

/** In the worker: headline and reason are read when the email is sent. What is no longer true is not sent. */
export async function sendScheduleEmail(
  worker: Database,
  send: SendToAccount,
  { piece, about }: Jobs['schedule.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<EmailRow>({ text: 'select * from app.schedule_email($1)', values: [piece] })
  if (!row || (about === 'void') !== (row.void_reason !== null)) return
  const { account_id: account, headline, void_reason: reason, publish_at } = row
  if (reason === null) await send(account, { template: 'schedule-published', params: { piece, headline } }, id)
  else
    await send(
      account,
      { template: 'schedule-void', params: { piece, headline, reason, at: publish_at!.toISOString() } },
      id,
    )
}
