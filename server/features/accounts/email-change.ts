import { enqueue, type Jobs } from '#features/jobs.ts'
import { hashOf, secretToken } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'
import type { AccountContext } from './context.ts'
import type { Send } from './mail.ts'
import { readEmail } from './normalize.ts'
import type { Person } from './sessions.ts'

/**
 * Changing an account's email address: the current address is notified, a link sent to the new one confirms the change, and
 * a link sent to the old one undoes it. docs/accounts.md
 */

/** Does the same work and returns the same whether or not another account has the address. */
export async function requestEmailChange(
  { db }: AccountContext,
  { sessionHash }: Person,
  email: string,
): Promise<void> {
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

/** Does nothing if no change is pending. */
export async function cancelEmailChange({ db }: AccountContext, { sessionHash }: Person): Promise<void> {
  await db.run({ text: 'select app.cancel_email($1)', values: [sessionHash] })
}

/** By the link in the email. Ends every session except this one, if it belongs to the account. */
export async function confirmEmailChange(
  { db }: AccountContext,
  token: string,
  sessionHash: Buffer | null,
): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.confirm_email($1, $2) as account', [
      hashOf(token),
      sessionHash,
    ])
    await enqueue(tx, 'account.email', { account: rows[0]!.account, email: 'changed' })
  })
}

/** In the worker: creates the token and sends the email, also for account deletion. The token is stored nowhere else. */
export async function sendEmailChange(worker: Database, send: Send, job: Jobs['account.email']): Promise<void> {
  const { token, hash } = secretToken()
  const id = hashOf(hash).toString('hex')
  if (job.email === 'confirm') {
    const [answer] = await worker.run<{ email: string | null }>({
      text: 'select app.email_change_token($1, $2) as email',
      values: [job.account, hash],
    })
    if (answer?.email) await send(answer.email, { template: 'confirm-new-email', params: { token, hours: 24 } }, id)
    return
  }
  if (job.email === 'deletion') {
    const [asked] = await worker.run<{ email: string; at: Date }>({
      text: 'select * from app.deletion_token($1, $2)',
      values: [job.account, hash],
    })
    if (asked)
      await send(asked.email, { template: 'deletion-asked', params: { token, at: asked.at.toISOString() } }, id)
    return
  }
  const [former] = await worker.run<{ email: string; at: Date }>({
    text: 'select * from app.recovery_token($1, $2)',
    values: [job.account, hash],
  })
  if (!former) return
  const template = job.email === 'asked' ? 'email-change-asked' : 'email-changed'
  await send(former.email, { template, params: { token, at: former.at.toISOString() } }, id)
}

export const sweepEmailChanges = (worker: Database): Promise<unknown> =>
  worker.run({ text: 'select app.sweep_email_changes()' })
