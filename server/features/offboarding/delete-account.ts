import type { AccountContext } from '#features/accounts/context.ts'
import type { Person } from '#features/accounts/sessions.ts'
import { enqueue } from '#features/jobs.ts'
import { purgeCoWritten } from '#features/pieces/co-authors.ts'
import { purgeAuthor } from '#features/profiles/profile.ts'
import { hashOf } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'
import { invalid } from '#platform/errors.ts'
import { normaliseLine } from '#platform/text/normalise.ts'

/** Deleting an account: requested, and done seven days later unless cancelled. docs/accounts.md */

/** Returns when it will happen. */
export async function requestDeletion({ db }: AccountContext, person: Person, typed: string): Promise<Date> {
  if (normaliseLine(typed) !== normaliseLine(person.name)) {
    throw invalid([
      { pointer: '/name', code: 'malformed', detail: `must be your name exactly as shown: ${person.name}` },
    ])
  }
  return db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ delete_at: Date; is_new: boolean }>('select * from app.ask_deletion($1, $2)', [
      person.sessionHash,
      person.name,
    ])
    const { delete_at: at, is_new: isNew } = rows[0]!
    if (isNew) await enqueue(tx, 'account.email', { account: person.accountId, email: 'deletion' })
    return at
  })
}

/** Does nothing if no deletion is pending. */
export async function cancelDeletion({ db }: AccountContext, { sessionHash }: Person): Promise<void> {
  await db.run({ text: 'select app.cancel_deletion($1)', values: [sessionHash] })
}

/** By the link in the email. */
export async function cancelDeletionByLink({ db }: AccountContext, token: string): Promise<void> {
  await db.run({ text: 'select app.cancel_deletion_by_link($1)', values: [hashOf(token)] })
}

/** In the worker: deletes all accounts that are due. A failure does not stop the others, and is retried an hour later. */
export async function deleteDue(worker: Database): Promise<void> {
  const failures: unknown[] = []
  const due = await worker.run<{ account: string }>({ text: 'select app.due_deletions() as account' })
  for (const { account } of due) await deleteAccount(worker, account).catch((error) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures)
}

/** Per statement, well below the statement timeout: a popular piece has 3,000 read counts a year to delete. */
const pieceBatch = 25

/** Deletes the account and everything of it in one transaction, so that readers see all of it disappear at once. */
async function deleteAccount(worker: Database, account: string): Promise<void> {
  await worker.transaction({}, async (tx) => {
    const { rows: begun } = await tx.query<{ is_due: boolean }>('select app.begin_deletion($1) as is_due', [account])
    if (!begun[0]!.is_due) return
    const { rows: written } = await tx.query<{ slug: string | null }>('select app.slug_of_account($1) as slug', [
      account,
    ])
    if (written[0]!.slug !== null) await purgeCoWritten(tx, written[0]!.slug)
    for (let removed = pieceBatch; removed === pieceBatch; ) {
      const { rows } = await tx.query<{ removed: number }>('select app.remove_pieces($1, $2) as removed', [
        account,
        pieceBatch,
      ])
      removed = rows[0]!.removed
    }
    const { rows: chosen } = await tx.query<{ language: string | null }>(
      'select app.email_language(jobs.address_of($1)) as language',
      [account],
    )
    const { rows } = await tx.query<{ email: string; slugs: string[] }>('select * from app.delete_account($1)', [
      account,
    ])
    const { email, slugs } = rows[0]!
    if (slugs.length > 0) await purgeAuthor(tx, ...slugs)
    const language = chosen[0]!.language
    await enqueue(tx, 'mail.former', {
      email,
      template: 'account-deleted',
      params: { at: new Date().toISOString() },
      ...(language ? { language } : {}),
    })
  })
}
