import type { Database } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import type { Send } from './letters.ts'
import { readEmail } from './naming.ts'
import type { Person } from './person.ts'
import type { AccountContext } from './settings.ts'

/** Another e-mail address for an account: wanted here, confirmed by the letter that goes there. */

/** The same work and the same answer whether or not the address is somebody else's. */
export async function wantEmail({ db }: AccountContext, { sessionHash }: Person, email: string): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.want_email($1, $2) as account', [
      sessionHash,
      readEmail(email),
    ])
    await enqueue(tx, 'account.email', { account: rows[0]!.account })
  })
}

/** The worker's part, as with other links: the token is in the letter and nowhere else. */
export async function sendEmailChange(worker: Database, send: Send, account: string): Promise<void> {
  const { token, hash } = secretToken()
  const [answer] = await worker.run<{ email: string | null }>({
    text: 'select app.email_change_token($1, $2) as email',
    values: [account, hash],
  })
  if (!answer?.email) return
  const order = { letter: 'confirm-new-email', params: { token, hours: 24 } } as const
  await send(answer.email, order, hashOf(hash).toString('hex'))
}

/** By the link in the letter. The old address is told; every session ends but this one, if it is the account's. */
export async function confirmEmail({ db }: AccountContext, token: string, sessionHash: Buffer | null): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ old_email: string }>('select old_email from app.confirm_email($1, $2)', [
      hashOf(token),
      sessionHash,
    ])
    const params = { at: new Date().toISOString() }
    await enqueue(tx, 'mail.former', { email: rows[0]!.old_email, letter: 'email-changed', params })
  })
}

export const sweepEmailChanges = (worker: Database): Promise<unknown> =>
  worker.run({ text: 'select app.sweep_email_changes()' })
