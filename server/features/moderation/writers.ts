import type pg from 'pg'
import type { Send } from '#features/accounts/mail.ts'
import { type Person, requireProof } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import { purgeCoWritten } from '#features/pieces/co-authors.ts'
import { purgeAuthor } from '#features/profiles/profile.ts'
import { message } from '#messages/message.ts'
import type { Database } from '#platform/db/database.ts'
import { containing } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import type { FindWriters, FoundWriters, Identity, IdentityDecided, Suspended } from './schema.ts'

/** Moderating writers: verification of their identity, and suspension. */

const maxFound = 50

export async function findWriters(
  { db }: DeskContext,
  { sessionHash }: Person,
  { q }: FindWriters,
): Promise<FoundWriters> {
  const rows = await db.run<WriterRow>({
    text: 'select * from app.writers_for_review($1, $2, $3)',
    values: [sessionHash, q === undefined ? null : containing(fold(q)), maxFound],
  })
  const writers = rows.map(({ suspended_at: at, suspended_for: reason, ...writer }) => ({
    ...writer,
    suspended: at && reason ? { at: at.toISOString(), reason } : null,
  }))
  return { ok: true, count: writers.length, writers }
}

type WriterRow = Omit<FoundWriters['writers'][number], 'suspended'> & {
  readonly suspended_at: Date | null
  readonly suspended_for: string | null
}

/** Public at once; the writer gets an email. Does nothing if nothing changes. */
export async function decideIdentity(
  { db }: DeskContext,
  { sessionHash }: Person,
  slug: string,
  { verified, note, name }: Identity,
): Promise<IdentityDecided> {
  if (!hasSlugShape(slug)) throw notFound(message('error.writer_not_found'))
  await db.transaction({}, async (tx) => {
    await requireProof(tx, sessionHash, 'recent')
    const { rows } = await tx.query<{ account_id: string | null; changed: boolean }>(
      'select * from app.desk_set_identity($1, $2, $3, $4, $5)',
      [sessionHash, slug, name ?? null, verified, note],
    )
    const { account_id: account, changed } = rows[0]!
    if (!changed) return
    await purgeAuthor(tx, slug)
    if (!account) return
    const template = verified ? 'identity-verified' : 'identity-withdrawn'
    await enqueue(tx, 'mail', { to: { account }, template, params: { at: new Date().toISOString() } })
  })
  return { ok: true, slug, identity_verified: verified }
}

/** Hides everything of a writer in one act, or restores it as it was. */
export type SuspensionAct = 'suspend' | 'restore'

/** The account to notify, and the slugs whose cache entries to purge. */
interface SuspensionRow {
  readonly account_id: string | null
  readonly slugs: string[]
}

/** By a moderator. The writer gets an email. */
export async function decideSuspension(
  { db }: DeskContext,
  { sessionHash }: Person,
  act: SuspensionAct,
  slug: string,
  reason: string,
): Promise<Suspended> {
  if (!hasSlugShape(slug)) throw notFound(message('error.writer_not_found'))
  await db.transaction({}, async (tx) => {
    await requireProof(tx, sessionHash, 'recent')
    if (act === 'suspend') await purgeCoWritten(tx, slug)
    const { rows } = await tx.query<SuspensionRow>('select * from app.desk_suspend($1, $2, $3, $4)', [
      sessionHash,
      slug,
      reason,
      act === 'restore',
    ])
    if (act === 'restore') await purgeCoWritten(tx, slug)
    await purgeAndNotify(tx, act, rows[0]!)
  })
  return { ok: true, slug, suspended: act === 'suspend' }
}

/** By the operator, from the command line. Returns whether there is such a writer. */
export async function suspendAsOwner(
  owner: pg.ClientBase,
  act: SuspensionAct,
  slug: string,
  reason: string | null,
): Promise<boolean> {
  if (act === 'suspend') await purgeCoWritten(owner, slug)
  const { rows } = await owner.query<SuspensionRow>(
    `select t.* from app.writers w, app.${act}_writer(w.id, null, $2) t where w.slug = $1`,
    [slug, reason],
  )
  if (!rows[0]) return false
  if (act === 'restore') await purgeCoWritten(owner, slug)
  await purgeAndNotify(owner, act, rows[0])
  return true
}

async function purgeAndNotify(
  tx: Parameters<typeof enqueue>[0],
  act: SuspensionAct,
  { account_id: account, slugs }: SuspensionRow,
): Promise<void> {
  await purgeAuthor(tx, ...slugs)
  if (!account) return
  if (act === 'suspend') await enqueue(tx, 'account.suspended', { account })
  else {
    const params = { at: new Date().toISOString() }
    await enqueue(tx, 'mail', { to: { account }, template: 'writer-restored', params })
  }
}

/** In the worker: the reason is read from the database when the email is sent, and is never in the queue. */
export async function sendSuspension(
  worker: Database,
  send: Send,
  { account }: Jobs['account.suspended'],
  id: string,
): Promise<void> {
  const [suspension] = await worker.run<{ email: string; at: Date; reason: string }>({
    text: 'select * from app.suspension_to_tell($1)',
    values: [account],
  })
  if (!suspension) return
  const params = { at: suspension.at.toISOString(), reason: suspension.reason }
  await send(suspension.email, { template: 'writer-suspended', params }, id)
}
