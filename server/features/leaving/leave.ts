import type { Person } from '#features/accounts/person.ts'
import type { AccountContext } from '#features/accounts/settings.ts'
import { withSession } from '#features/pieces/session.ts'
import { purgeAuthor } from '#features/profiles/purge.ts'
import { invalid } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { normaliseLine } from '#platform/text/normalise.ts'

/** Deleted by one statement, well below the time it has: a piece that is much read takes 3,000 counts a year along. */
const piecesAtOnce = 25

/** The person and everything of theirs, in one transaction; whoever reads sees it gone at the same moment. */
export async function leave({ db }: AccountContext, person: Person, typed: string): Promise<void> {
  const name = normaliseLine(typed)
  if (name !== normaliseLine(person.name)) {
    throw invalid([
      { pointer: '/name', code: 'malformed', detail: `must be your name as it is written here: ${person.name}` },
    ])
  }
  const { sessionHash } = person
  await withSession(db, person, async (tx) => {
    for (let removed = piecesAtOnce; removed === piecesAtOnce; ) {
      const { rows } = await tx.query<{ removed: number }>('select app.remove_pieces($1, $2) as removed', [
        sessionHash,
        piecesAtOnce,
      ])
      removed = rows[0]!.removed
    }
    const { rows } = await tx.query<{ email: string; slugs: string[] }>('select * from app.leave($1, $2)', [
      sessionHash,
      person.name,
    ])
    const { email, slugs } = rows[0]!
    if (slugs.length > 0) await purgeAuthor(tx, ...slugs)
    const params = { at: new Date().toISOString() }
    await enqueue(tx, 'mail.former', { email, letter: 'account-deleted', params })
  })
}
