import type { Person } from '#features/accounts/session-user.ts'
import { demandProof } from '#features/accounts/sessions.ts'
import { purgeAuthor } from '#features/profiles/purge.ts'
import type { DeskContext } from '#platform/context.ts'
import { containing } from '#platform/db/like-pattern.ts'
import { notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import type { FindWriters, FoundWriters, Identity, IdentityDecided } from './people-schema.ts'

/** Who somebody is: said by a moderator who is somebody else. */

const mostFound = 50

export async function findWriters(
  { db }: DeskContext,
  { sessionHash }: Person,
  { q }: FindWriters,
): Promise<FoundWriters> {
  const rows = await db.run<WriterRow>({
    text: 'select * from app.writers_for_review($1, $2, $3)',
    values: [sessionHash, q === undefined ? null : containing(q), mostFound],
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

/** Shown in public at once; the writer gets a letter. Saying what is so already is no act. */
export async function decideIdentity(
  { db }: DeskContext,
  { sessionHash }: Person,
  slug: string,
  { verified, note, name }: Identity,
): Promise<IdentityDecided> {
  if (!hasSlugShape(slug)) throw notFound('No writer has this address. Search for them again.')
  await db.transaction({}, async (tx) => {
    await demandProof(tx, sessionHash, 'recent')
    const { rows } = await tx.query<{ account_id: string | null; changed: boolean }>(
      'select * from app.desk_set_identity($1, $2, $3, $4, $5)',
      [sessionHash, slug, name ?? null, verified, note],
    )
    const { account_id: account, changed } = rows[0]!
    if (!changed) return
    await purgeAuthor(tx, slug)
    if (!account) return
    const letter = verified ? 'identity-verified' : 'identity-withdrawn'
    await enqueue(tx, 'mail', { to: { account }, letter, params: { at: new Date().toISOString() } })
  })
  return { ok: true, slug, identity_verified: verified }
}
