import type pg from 'pg'
import type { Send } from '#features/accounts/mail.ts'
import type { Person } from '#features/accounts/session-user.ts'
import { demandProof } from '#features/accounts/sessions.ts'
import { purgeAuthor } from '#features/profiles/purge.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { enqueue, type Jobs } from '#platform/jobs/jobs.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import type { Suspended } from './people-schema.ts'

/** Everything of a writer hidden in one act, or brought back as it was in one act. */

export type SuspensionAct = 'suspend' | 'restore'

/** Who is told, and the addresses that caches know. */
interface Told {
  readonly account_id: string | null
  readonly slugs: string[]
}

/** By a moderator. The writer is told by email. */
export async function decideSuspension(
  { db }: DeskContext,
  { sessionHash }: Person,
  act: SuspensionAct,
  slug: string,
  reason: string,
): Promise<Suspended> {
  if (!hasSlugShape(slug)) throw notFound('No writer has this address. Search for them again.')
  await db.transaction({}, async (tx) => {
    await demandProof(tx, sessionHash, 'recent')
    const { rows } = await tx.query<Told>('select * from app.desk_suspend($1, $2, $3, $4)', [
      sessionHash,
      slug,
      reason,
      act === 'restore',
    ])
    await tell(tx, act, rows[0]!)
  })
  return { ok: true, slug, suspended: act === 'suspend' }
}

/** By the operator, without a browser. Whether there is such a writer. */
export async function suspendAsOwner(
  owner: pg.ClientBase,
  act: SuspensionAct,
  slug: string,
  reason: string | null,
): Promise<boolean> {
  const { rows } = await owner.query<Told>(
    `select t.* from app.writers w, app.${act}_writer(w.id, null, $2) t where w.slug = $1`,
    [slug, reason],
  )
  if (!rows[0]) return false
  await tell(owner, act, rows[0])
  return true
}

async function tell(
  tx: Parameters<typeof enqueue>[0],
  act: SuspensionAct,
  { account_id: account, slugs }: Told,
): Promise<void> {
  await purgeAuthor(tx, ...slugs)
  if (!account) return
  if (act === 'suspend') await enqueue(tx, 'account.suspended', { account })
  else {
    const params = { at: new Date().toISOString() }
    await enqueue(tx, 'mail', { to: { account }, letter: 'writer-restored', params })
  }
}

/** The worker's part: the reason is in the database and in the email, and never in the queue. */
export async function sendSuspension(
  worker: Database,
  send: Send,
  { account }: Jobs['account.suspended'],
  id: string,
): Promise<void> {
  const [told] = await worker.run<{ email: string; at: Date; reason: string }>({
    text: 'select * from app.suspension_to_tell($1)',
    values: [account],
  })
  if (!told) return
  const params = { at: told.at.toISOString(), reason: told.reason }
  await send(told.email, { letter: 'writer-suspended', params }, id)
}
