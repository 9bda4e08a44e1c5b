import type { Database } from '#platform/db/database.ts'
import { enqueue, type Jobs } from '#platform/jobs/jobs.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import type { AccountContext } from './context.ts'
import type { Send } from './mail.ts'
import { readEmail } from './normalize.ts'
import type { Person } from './session-user.ts'

/**
 * Another email address for an account: asked for here, told to the address it has, confirmed by the email that goes to
 * the new one, and taken back by a link in the emails to the old one. docs/accounts.md
 */

/** The same work and the same answer whether or not the address is somebody else's. */
export async function wantEmail({ db }: AccountContext, { sessionHash }: Person, email: string): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.want_email($1, $2) as account', [
      sessionHash,
      readEmail(email),
    ])
    const { account } = rows[0]!
    await enqueue(tx, 'account.email', { account, email: 'asked' })
    await enqueue(tx, 'account.email', { account, email: 'confirm' })
  })
}

/** Nothing happens where none was asked for: what the person wants is so. */
export async function cancelEmail({ db }: AccountContext, { sessionHash }: Person): Promise<void> {
  await db.run({ text: 'select app.cancel_email($1)', values: [sessionHash] })
}

/** By the link in the email. Every session ends but this one, if it is the account's. */
export async function confirmEmail({ db }: AccountContext, token: string, sessionHash: Buffer | null): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.confirm_email($1, $2) as account', [
      hashOf(token),
      sessionHash,
    ])
    await enqueue(tx, 'account.email', { account: rows[0]!.account, email: 'changed' })
  })
}

/** The worker's part, also where the account will be deleted; as with other links: the token is in the email and nowhere else. */
export async function sendEmailChange(worker: Database, send: Send, told: Jobs['account.email']): Promise<void> {
  const { token, hash } = secretToken()
  const id = hashOf(hash).toString('hex')
  if (told.email === 'confirm') {
    const [answer] = await worker.run<{ email: string | null }>({
      text: 'select app.email_change_token($1, $2) as email',
      values: [told.account, hash],
    })
    if (answer?.email) await send(answer.email, { letter: 'confirm-new-email', params: { token, hours: 24 } }, id)
    return
  }
  if (told.email === 'deletion') {
    const [asked] = await worker.run<{ email: string; at: Date }>({
      text: 'select * from app.deletion_token($1, $2)',
      values: [told.account, hash],
    })
    if (asked) await send(asked.email, { letter: 'deletion-asked', params: { token, at: asked.at.toISOString() } }, id)
    return
  }
  const [former] = await worker.run<{ email: string; at: Date }>({
    text: 'select * from app.recovery_token($1, $2)',
    values: [told.account, hash],
  })
  if (!former) return
  const letter = told.email === 'asked' ? 'email-change-asked' : 'email-changed'
  await send(former.email, { letter, params: { token, at: former.at.toISOString() } }, id)
}

export const sweepEmailChanges = (worker: Database): Promise<unknown> =>
  worker.run({ text: 'select app.sweep_email_changes()' })
