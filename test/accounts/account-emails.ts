import type pg from 'pg'
import { sendEmailChange } from '../../server/features/accounts/email.ts'
import { type Send, sendLetterAsked } from '../../server/features/accounts/mail.ts'
import type { Database } from '../../server/platform/db/database.ts'
import type { Jobs } from '../../server/platform/jobs/jobs.ts'

export interface Received {
  readonly letter: string
  readonly token: string
}

/** What a worker does with the emails of this account and these addresses, each put where it goes. */
export function deliverEmails(
  admin: pg.Pool,
  worker: Database,
  account: string,
  addresses: readonly string[],
  received: Map<string, Received[]>,
): () => Promise<void> {
  const send: Send = async (to, { letter, params }) => {
    const token = (params as { token?: string }).token
    if (token) received.set(to, [...(received.get(to) ?? []), { letter, token }])
  }
  return async () => {
    const { rows } = await admin.query<{ name: string; data: Jobs['account.email'] & Jobs['account.letter'] }>(
      `delete from jobs.job where name in ('account.letter', 'account.email')
          and (data->>'account' = $1 or data->>'email' = any ($2)) returning name, data`,
      [account, addresses],
    )
    for (const { name, data } of rows)
      await (name === 'account.email' ? sendEmailChange(worker, send, data) : sendLetterAsked(worker, send, data))
  }
}
